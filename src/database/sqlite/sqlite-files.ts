import { statSync } from 'node:fs';
import { rm, stat, writeFile } from 'node:fs/promises';
import { StartFault } from '../../settings/settings.js';
import { DatabaseFault } from '../database-fault.js';

/** The files that hold acknowledged writes: the database and its log. */
const PARTS = ['', '-wal'];

/**
 * Notices that a file of an open database was removed or replaced. SQLite would go on writing to the old file, which
 * has no name any more, and the writes would be lost with the process.
 */
export class SqliteFiles {
  readonly #identities: readonly (string | undefined)[];

  /** @param path of a database that is open */
  constructor(private readonly path: string) {
    this.#identities = PARTS.map((part) => identityOf(path + part));
  }

  /** Takes some microseconds. @throws DatabaseFault `replaced` */
  assertInPlace(): void {
    for (const [index, part] of PARTS.entries())
      if (identityOf(this.path + part) !== this.#identities[index]) throw new DatabaseFault('replaced');
  }
}

function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}

/**
 * @throws StartFault when there is a log without its database: a new database would make SQLite delete it, and the
 *   latest writes of the old one with it
 */
export async function assertNoLostDatabase(path: string): Promise<void> {
  const sizeOf = async (part: string): Promise<number> =>
    (await stat(path + part).catch(() => undefined))?.size ?? 0;
  if ((await sizeOf('')) > 0 || (await sizeOf('-wal')) === 0) return;
  throw new StartFault(
    `The database ${path} is missing, but its write-ahead log ${path}-wal is there, with its latest changes. ` +
      'Put the database back beside it, or restore a backup; to start with an empty database, move the log away.',
  );
}

/** SQLite's shared memory of 32 KiB, and some room for the file system. */
const RESERVE = Buffer.alloc(65_536);

/** Keeps some space, with which a service can open its database and serve reads although the disk is full. */
export async function keepReserve(path: string): Promise<void> {
  // On a full disk there is no reserve to keep until the next start.
  await writeFile(`${path}-reserve`, RESERVE, { flag: 'wx', mode: 0o600 }).catch(() => undefined);
}

export async function freeReserve(path: string): Promise<void> {
  await rm(`${path}-reserve`, { force: true });
}
