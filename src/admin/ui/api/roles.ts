import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { includesRole, type Role } from '../../../users/user.js';
import type { SessionDto } from '../../sessions.controller.js';
import { CURRENT_SESSION } from './api.js';
import { api, session } from './client.js';
import { KEYS } from './keys.js';
import type { LoggedInAccount } from './session.js';
import { hasUnsavedInput } from './unsaved-input.js';

export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  viewer: 'Viewer',
  editor: 'Editor',
  administrator: 'Administrator',
};

/** The account that is logged in. It is read at the start, and again when the service has refused something. */
export function useAccount(): LoggedInAccount {
  const { data } = useQuery({
    queryKey: KEYS.account,
    queryFn: readAccount,
    staleTime: Number.POSITIVE_INFINITY,
    retryOnMount: false,
  });
  const account = data ?? session.get()?.account;
  if (account === undefined) throw new Error('Only pages of the site have an account.');
  return account;
}

async function readAccount(): Promise<LoggedInAccount> {
  const { account } = await api.json<SessionDto>(CURRENT_SESSION);
  if (session.get()?.account.role !== account.role) session.update(account);
  return account;
}

/**
 * Returns a function that says whether the logged-in account has at least a role. The service enforces this; the site
 * only hides what would be refused.
 */
export function useMay(): (role: Role) => boolean {
  const { role: own } = useAccount();
  return (role) => includesRole(own, role);
}

/** Whether the account may use a page that needs a role. A page with unsaved input stays when the role is lost. */
export function useMayStay(role: Role): boolean {
  const may = useMay()(role);
  const [stays, setStays] = useState(may);
  if (may !== stays && (may || !hasUnsavedInput())) setStays(may);
  return stays;
}
