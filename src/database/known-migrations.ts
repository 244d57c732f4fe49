import { StartFault } from '../settings/settings.js';
import * as migrations from './migrations.js';

/** In the order in which they run: by the timestamps in their names. */
export const MIGRATIONS = Object.values(migrations).toSorted((a, b) =>
  a.name.slice(-13).localeCompare(b.name.slice(-13)),
);

/**
 * Compares the migrations of a database with ours.
 *
 * @param where the subject of the fault's sentence
 * @param migrates whether missing migrations will be run
 * @returns whether some are missing
 * @throws StartFault
 */
export function assertOurMigrations(where: string, applied: readonly string[], migrates: boolean): boolean {
  const known = MIGRATIONS.map(({ name }) => name);
  const unknown = applied.find((name) => !known.includes(name));
  if (unknown !== undefined && !applied.some((name) => known.includes(name)))
    throw new StartFault(`${where} holds the tables of another program.`);
  // Without migration, the operator is responsible for a compatible schema: see "Rolling back" in docs/operations.md.
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
