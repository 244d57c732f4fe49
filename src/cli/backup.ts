import { existsSync } from 'node:fs';
import { access, chmod, copyFile, link, mkdir, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import sqlite3 from 'sqlite3';
import { noteBackup } from '../database/backup-mark.js';
import type { DatabaseFault } from '../database/index.js';
import { hasContent, verifySqliteFile } from '../database/sqlite/inspect-sqlite-file.js';
import { SqliteConnection } from '../database/sqlite/sqlite-connection.js';
import { lockSqliteFile } from '../database/sqlite/service-lock.js';
import { cannotOpen, giveToOwner } from '../database/sqlite/sqlite-files.js';
import { toPubDate } from '../posts/pub-date.js';
import { loadSettings } from '../settings/load-settings.js';
import { type Settings, StartFault } from '../settings/settings.js';
import { print, settingsOfExisting } from './command-context.js';
import { assertUnchanged, checksumFile, sync, writeChecksum } from './checksum.js';

/** Matches the backups in a folder. The names sort by time. */
const NAME = /^posts-\d{8}T\d{6}Z\.sqlite$/;

/** The suffix of a backup until it is complete and verified. A killed backup may also leave a `.partial-journal`. */
const PARTIAL = '.partial';
const LEFT_OVER = /\.partial(-journal)?$/;

/**
 * Writes a consistent snapshot of the database to a new file, also while the service is running and writing. It blocks
 * neither reads nor writes. It opens the database itself, because the application context would run missing migrations.
 * After a failure there is no file.
 */
async function writeBackup(target: string, source: string): Promise<string> {
  if (existsSync(target)) throw new StartFault(`${target} exists already; a backup overwrites nothing.`);
  // SQLite would say less about a missing folder.
  await access(dirname(target));
  const partial = target + PARTIAL;
  await rm(partial, { force: true });
  try {
    const copied = runOn(source, 'VACUUM INTO ?', [partial], sqlite3.OPEN_READONLY);
    await copied.catch(async (fault: DatabaseFault) => {
      const { message } = fault.cause as Error;
      throw await cannotOpen(target, fault, `${source} cannot be copied to ${target}: ${message}.`);
    });
    const posts = await verifySqliteFile(partial, source);
    await writeChecksum(target, partial);
    await sync(partial);
    // Unlike rename(), link() does not overwrite a file that was created in the meantime.
    await link(partial, target);
    await sync(dirname(target));
    await noteBackup(source);
    return `${target} was written and verified. Posts: ${posts}.`;
  } finally {
    await rm(partial, { force: true });
  }
}

/** @throws StartFault when the settings name a PostgreSQL database, which has its own backup tools */
function sqlitePath({ database }: Settings): string {
  if (database.kind === 'sqlite') return database.path;
  throw new StartFault(
    'DATABASE_URL names a PostgreSQL database: use pg_dump and pg_restore; see docs/operate/operations.md.',
  );
}

/**
 * Removes all but the newest backups of a folder, what older killed backups have left, and no other file.
 *
 * @returns the number of removed backups
 */
async function prune(folder: string, keep: number): Promise<number> {
  const names = (await readdir(folder)).filter((name) => NAME.test(name.replace(LEFT_OVER, '')));
  const backups = names.filter((name) => NAME.test(name)).toSorted();
  const oldestKept = backups.at(-keep) ?? '';
  for (const name of names.filter((each) => each < oldestKept)) {
    await rm(join(folder, name));
    await rm(checksumFile(join(folder, name)), { force: true });
  }
  return Math.max(0, backups.length - keep);
}

/** @param keep how many backups remain in the folder; undefined when the place is a file */
export async function backup(place: string, keep: number | undefined): Promise<void> {
  if (place === '-')
    throw new StartFault(
      'A backup is a file, not standard output: give the name of a file. (./- is a name, too.)',
    );
  const path = resolve(place);
  const source = sqlitePath(settingsOfExisting());
  if (keep === undefined) return print(await writeBackup(path, source));
  await mkdir(path, { recursive: true });
  // Like `20261120T144000Z`.
  const stamp = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
  print(await writeBackup(join(path, `posts-${stamp}.sqlite`), source));
  const removed = await prune(path, keep);
  if (removed > 0) print(`Older backups that were removed: ${removed}.`);
}

/** The files of a database: the main file, and the WAL, which holds the latest changes after a killed service. */
const PARTS = ['', '-wal'];
/** Other files that SQLite keeps beside a database. They can be recreated. */
const TRANSIENT_PARTS = ['-shm', '-journal'];

/**
 * Replaces the database with a backup. The service must not be running. The old database is kept under another name.
 * After an interruption at any point, either the complete old or the complete new database is in place. It replaces the
 * file itself, so it cannot run in an application context, which has the file open.
 */
export async function restore(file: string): Promise<void> {
  const target = resolve(sqlitePath(loadSettings()));
  const source = resolve(file);
  if (!existsSync(source)) throw new StartFault(`The file ${source} does not exist.`);
  if (!(await hasContent(source))) throw new StartFault(`${source} is not a SQLite database.`);
  if ((await realpath(source)) === (await realpath(target).catch(() => target)))
    throw new StartFault('The backup and the database are the same file.');
  const lock = await lockSqliteFile(target);
  const copy = `${target}.restoring`;
  try {
    await copyDatabase(source, copy);
    const posts = await verifySqliteFile(copy, source);
    const isChecked = await assertUnchanged(source);
    const { mode } = await stat(target).catch(() => ({ mode: 0o600 }));
    await chmod(copy, mode & 0o777);
    await giveToOwner(copy, target);
    await endCopies(copy);
    await sync(copy);
    const kept = await keepOld(target);
    await rename(copy, target);
    await sync(dirname(target));
    print(`${target} was restored. Posts: ${posts}.`);
    if (kept !== undefined) print(`The previous database is kept as ${kept}.`);
    print('It brings back passwords, sessions and API tokens, also those changed, ended or revoked since.');
    if (!isChecked)
      print(`There is no ${checksumFile(source)}, so changes of its texts would not be noticed.`);
  } finally {
    await remove(copy);
    await lock.close();
  }
}

/**
 * Clients that keep a copy of the posts have seen changes that the backup does not have. From now on, a request for the
 * deletions since an earlier time gets 410 `deletions-expired`, which tells them to start over.
 */
async function endCopies(path: string): Promise<void> {
  const handle = await SqliteConnection.open(path, sqlite3.OPEN_READWRITE);
  try {
    const columns = await handle.query<{ name: string }>(`SELECT name FROM pragma_table_info('posts_state')`);
    // A backup of version 1.1 has no such column, and 1.1 no list of deletions.
    if (columns.some(({ name }) => name === 'deletions_since'))
      await handle.query('UPDATE posts_state SET deletions_since = ?', [toPubDate()]);
  } finally {
    await handle.close();
  }
}

async function copyDatabase(source: string, copy: string): Promise<void> {
  await remove(copy);
  for (const part of PARTS) await unlessMissing(copyFile(source + part, copy + part));
  // The copy has the mode of the backup, which may be read-only or readable by other users.
  await chmod(copy, 0o600);
  // If SQLite cannot open the file, the verification that follows rejects it.
  await runOn(copy, 'PRAGMA journal_mode = DELETE').catch(() => undefined);
}

/** @returns the name under which the old database is kept; undefined when there was none */
async function keepOld(path: string): Promise<string | undefined> {
  // Checkpoints the WAL, so that the file is the whole database. A damaged database is kept with its WAL.
  if (await hasContent(path).catch(() => false))
    await runOn(path, 'PRAGMA wal_checkpoint(TRUNCATE)').catch(() => undefined);
  const kept = `${path}.${new Date().toISOString().replaceAll(/[-:.]/g, '')}`;
  let found = false;
  for (const part of PARTS) found = (await unlessMissing(link(path + part, kept + part))) || found;
  // Otherwise SQLite would apply the old WAL to the new database.
  for (const part of [...PARTS.slice(1), ...TRANSIENT_PARTS]) await rm(path + part, { force: true });
  return found ? kept : undefined;
}

async function runOn(
  path: string,
  statement: string,
  parameters: readonly string[] = [],
  mode = sqlite3.OPEN_READWRITE,
): Promise<void> {
  const handle = await SqliteConnection.open(path, mode);
  try {
    await handle.query(statement, parameters);
  } finally {
    await handle.close();
  }
}

async function remove(path: string): Promise<void> {
  for (const part of [...PARTS, ...TRANSIENT_PARTS]) await rm(path + part, { force: true });
}

/** @returns false when the file did not exist */
async function unlessMissing(work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return false;
    throw error;
  }
}
