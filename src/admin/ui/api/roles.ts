import { useSyncExternalStore } from 'react';
import { session } from './client.js';
import type { Role } from './session.js';

export const ROLES = ['viewer', 'editor', 'administrator'] as const satisfies Role[];

/**
 * Returns a function that says whether the logged-in account has at least a role. The service enforces this; the site
 * only hides what would be refused.
 */
export function useMay(): (role: Role) => boolean {
  const own = useSyncExternalStore(session.subscribe, session.get)?.account.role ?? 'viewer';
  return (role) => ROLES.indexOf(own) >= ROLES.indexOf(role);
}
