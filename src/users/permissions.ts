import type { ChangeHooks, Transaction, Work } from '../database/index.js';
import { RoleMissing, TokenUnknown } from '../problem-details/index.js';
import { type Author, includesRole, type Role } from './user.js';

/**
 * Looks at the author's credential once more, in the transaction that stores the change: while a body was sent, its token
 * may have been revoked or have expired, its session may have ended, or its account may have another role.
 * Authors without a credential of this service pass.
 *
 * @throws TokenUnknown
 * @throws RoleMissing
 */
export async function assertMayStill(
  transaction: Transaction,
  { credential }: Author,
  needed: Role,
): Promise<void> {
  if (!credential) return;
  const role = await credential.currentRole(transaction);
  if (!role) throw new TokenUnknown();
  if (!includesRole(role, needed)) throw new RoleMissing(needed, role);
}

/** Work for `database.write()`, refused when its author may no longer do it. @throws as {@link assertMayStill} does */
export function workWhileAllowed<Result>(author: Author, needed: Role, work: Work<Result>): Work<Result> {
  return async (transaction) => {
    await assertMayStill(transaction, author, needed);
    return work(transaction);
  };
}

/** Hooks that refuse the change when its author may no longer make it, and then do what the given ones do. */
export function hooksWhileAllowed<Result>(
  author: Author,
  needed: Role,
  hooks?: ChangeHooks<Result>,
): ChangeHooks<Result> | undefined {
  if (!author.credential) return hooks;
  return {
    before: async (transaction) => {
      await assertMayStill(transaction, author, needed);
      await hooks?.before(transaction);
    },
    after: async (transaction, stored) => hooks?.after(transaction, stored),
  };
}
