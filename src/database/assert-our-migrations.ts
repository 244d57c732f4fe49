import { StartFault } from '../settings/settings.js';
import { MIGRATIONS, nameOf } from './migrations.js';

/** The first migration of version 1.0; our first one is the last of version 1.1. */
const OF_VERSION_1_0 = 'CreatePosts1763650000000';

/**
 * Compares the migrations of a database with ours.
 *
 * @param where the subject of the fault's sentence
 * @param migrates whether missing migrations will be run
 * @throws StartFault
 */
export function assertOurMigrations(where: string, applied: readonly string[], migrates: boolean): void {
  const known = MIGRATIONS.map(nameOf);
  const first = known[0]!;
  if (applied.length > 0 && !applied.includes(first))
    throw new StartFault(
      applied.includes(OF_VERSION_1_0)
        ? `${where} is of version 1.0; start version 1.1 on it once, which upgrades it, and then this version.`
        : `${where} holds the tables of another program.`,
    );
  // Version 1.1 ran older ones, too, which our first one replaces. Names end in the time.
  const newer = applied.find((name) => !known.includes(name) && name.slice(-13) > first.slice(-13));
  // Without migration, the operator is responsible for a compatible schema: see "Rolling back" in docs/operate/operations.md.
  if (newer !== undefined && migrates)
    throw new StartFault(
      `${where} was written by a newer version of the service (${newer}); start that version.`,
    );
  const missing = known.filter((name) => !applied.includes(name));
  if (missing.length > 0 && !migrates)
    throw new StartFault(`${where} lacks migrations (${missing.length}): run the command migrate.`);
}
