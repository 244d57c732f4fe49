import { StartFault } from '../settings/settings.js';
import { CreateAccounts1763670000000 } from './migrations/1763670000000-create-accounts.js';
import { CreatePosts1763650000000 } from './migrations/1763650000000-create-posts.js';
import { CreateIdempotencyKeys1763660000000 } from './migrations/1763660000000-create-idempotency-keys.js';
import { CreatePostRevisions1763700000000 } from './migrations/1763700000000-create-post-revisions.js';
import { CreatePostsSearch1763652000000 } from './migrations/1763652000000-create-posts-search.js';
import { CreatePostsState1763651000000 } from './migrations/1763651000000-create-posts-state.js';
import { AddApiTokenExpiry1763710000000 } from './migrations/1763710000000-add-api-token-expiry.js';
import { KeyPostsState1763720000000 } from './migrations/1763720000000-key-posts-state.js';
import { AddRoles1763730000000 } from './migrations/1763730000000-add-roles.js';

/** In the order in which they are run. */
export const MIGRATIONS = [
  CreatePosts1763650000000,
  CreatePostsState1763651000000,
  CreatePostsSearch1763652000000,
  CreateIdempotencyKeys1763660000000,
  CreateAccounts1763670000000,
  CreatePostRevisions1763700000000,
  AddApiTokenExpiry1763710000000,
  KeyPostsState1763720000000,
  AddRoles1763730000000,
];

/**
 * Compares the migrations of a database with ours.
 *
 * @param where the subject of the fault's sentence
 * @param migrates whether missing ones are going to be run
 * @returns whether some are missing
 * @throws StartFault
 */
export function assertOurMigrations(where: string, applied: readonly string[], migrates: boolean): boolean {
  const known = MIGRATIONS.map(({ name }) => name);
  const unknown = applied.find((name) => !known.includes(name));
  if (unknown !== undefined && !applied.some((name) => known.includes(name)))
    throw new StartFault(`${where} holds the tables of another program.`);
  // Without migrating, the operator has seen to it that the two fit: see "Rolling back" in docs/operations.md.
  if (unknown !== undefined && migrates)
    throw new StartFault(
      `${where} was written by a newer version of the service (${unknown}); start that version.`,
    );
  const missing = known.filter((name) => !applied.includes(name));
  if (missing.length > 0 && !migrates)
    throw new StartFault(
      `${where} lacks migrations (${missing.length}), and DATABASE_MIGRATE is off: run the command migrate.`,
    );
  return missing.length > 0;
}
