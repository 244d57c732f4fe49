import { statSync } from 'node:fs';
import { lchown, open, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StartFault } from '../../settings/settings.js';
import { sqliteCode } from './sqlite-connection.js';

/**
 * Identifies the two files that hold acknowledged writes: the database and its log. When they are removed or replaced,
 * SQLite goes on writing to the old ones, which have no name any more, and the writes are lost with the process. Takes
 * some microseconds.
 */
export function identityOf(path: string): string {
  const database = statSync(path, { throwIfNoEntry: false });
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  return `${database?.dev} ${database?.ino} ${log?.dev} ${log?.ino}`;
}

/** In bytes; 0 when there is none. */
export async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}

/**
 * @throws StartFault when there is a log without its database: a new database would make SQLite delete it, and the
 *   latest writes of the old one with it
 */
export async function assertNoLostDatabase(path: string): Promise<void> {
  if ((await sizeOf(path)) > 0 || (await sizeOf(`${path}-wal`)) === 0) return;
  throw new StartFault(
    `The database ${path} is missing, but its write-ahead log ${path}-wal is there, with its latest changes. ` +
      'Put the database back beside it, or restore a backup; to start with an empty database, move the log away.',
  );
}

/** SQLite's shared memory of 32 KiB, and some pages of its log. The service needs them even for reads. */
const NEEDED_BYTES = 65_536;

/** @param otherwise the sentence when the disk is not full. SQLite reports a full disk as an I/O error, too. */
export async function cannotOpen(path: string, cause: unknown, otherwise: string): Promise<StartFault> {
  const code = (cause as { code?: string }).code ?? sqliteCode(cause) ?? '';
  const free = await statfs(dirname(path)).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => Infinity,
  );
  const isFull = ['ENOSPC', 'EDQUOT', 'SQLITE_FULL'].includes(code) || free < NEEDED_BYTES;
  const sentence = isFull ? `The disk of the database ${path} is full; free some space on it.` : otherwise;
  return new StartFault(sentence, { cause });
}

/**
 * Changes the owner of a file that root has created beside a database to the owner of the database, or else of the
 * folder: the service runs as that user and has to open it. (SQLite does the same for its own files.) A link is not
 * followed.
 */
export async function giveToOwner(path: string, databasePath: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(databasePath).catch(() => stat(dirname(databasePath)));
  await lchown(path, uid, gid);
}

/**
 * Creates the empty file of a new database that root makes, such as by `seed`, for the owner of its folder. Before SQLite
 * does: the files that it adds get the owner of this one.
 */
export async function createForOwner(path: string): Promise<void> {
  if (process.getuid?.() !== 0 || statSync(path, { throwIfNoEntry: false })) return;
  // Where it cannot be created, SQLite cannot do it either, and says why.
  const file = await open(path, 'a').catch(() => undefined);
  if (!file) return;
  await file.close();
  await giveToOwner(path, dirname(path));
}
