import { includesRole, type Role } from '../../../http/request/author.js';
import { session } from './client.js';
import { useObservable } from './observable.js';

/**
 * Returns a function that says whether the logged-in account has at least a role. The service enforces this; the site
 * only hides what would be refused.
 */
export function useMay(): (role: Role) => boolean {
  const own = useObservable(session)?.account.role ?? 'viewer';
  return (role) => includesRole(own, role);
}
