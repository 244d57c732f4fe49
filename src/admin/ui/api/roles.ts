import { useSyncExternalStore } from 'react';
import { session } from './client.js';
import type { Role } from './session.js';

export const ROLES = ['viewer', 'editor', 'administrator'] as const satisfies Role[];

/** Tells whether the account that is logged in may do what a role may. The service decides; the site offers nothing in vain. */
export function useMay(): (role: Role) => boolean {
  const own = useSyncExternalStore(session.subscribe, session.get)?.account.role ?? 'viewer';
  return (role) => ROLES.indexOf(own) >= ROLES.indexOf(role);
}
