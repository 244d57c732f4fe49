import { existsSync, rmSync } from 'node:fs';
import { access, chmod, copyFile, link, mkdir, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { SqliteFile } from '../database/index.js';
import { toPubDate } from '../posts/pub-date.js';
import { loadSettings } from '../settings/load-settings.js';
import { type Environment, type Settings, StartFault } from '../settings/settings.js';
import { print, settingsOfExisting } from './command-context.js';
import { assertUnchanged, checksumFile, sync, writeChecksum } from './checksum.js';
import { cleanUpOnSignal } from './interruption.js';

/** Matches the backups in a folder. The names sort by time. */
const NAME = /^posts-\d{8}T\d{6}Z\.sqlite$/;

/** The suffix of a backup until it is complete and verified. */
const PARTIAL = '.partial';
/** What a killed backup may leave. A complete one has a checksum, too. */
const BESIDE_BACKUP = /\.(partial(-journal)?|sha256)$/;

/**
 * Writes a consistent snapshot of the database to a new file, also while the service is running and writing. It blocks
 * neither reads nor writes. It opens the database itself, because the application context would run missing migrations.
 * After a failure or a signal there is no file.
 */
async function writeBackup(target: string, source: SqliteFile): Promise<string> {
  if (existsSync(target)) throw new StartFault(`${target} exists already; a backup overwrites nothing.`);
  // SQLite would say less about a missing folder.
  await access(dirname(target));
  const partial = target + PARTIAL;
  const cleanUp = (): void => {
    for (const path of [partial, `${partial}-journal`]) rmSync(path, { force: true });
    if (!existsSync(target)) rmSync(checksumFile(target), { force: true });
  };
  cleanUp();
  cleanUpOnSignal(cleanUp);
  try {
    await source.copyTo(partial, target);
    const posts = await new SqliteFile(partial).verify(source.path);
    await writeChecksum(target, partial);
    await sync(partial);
    // Unlike rename(), link() does not overwrite a file that was created in the meantime.
    await link(partial, target);
    await sync(dirname(target));
    await source.noteBackup();
    return `${target} was written and verified. Posts: ${posts}.`;
  } finally {
    cleanUp();
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
 * @param written the name of the newest backup; others may have later names, from a time when the clock was ahead
 * @returns the number of removed backups
 */
async function prune(folder: string, keep: number, written: string): Promise<number> {
  const names = (await readdir(folder)).filter((name) => NAME.test(name.replace(BESIDE_BACKUP, '')));
  const backups = names.filter((name) => NAME.test(name) && name !== written).toSorted();
  backups.push(written);
  const kept = backups.slice(-keep);
  const oldestKept = kept.toSorted()[0]!;
  const isOld = (name: string): boolean => NAME.test(name) || (backups.length >= keep && name < oldestKept);
  for (const name of names.filter((each) => !kept.includes(each) && isOld(each))) {
    await rm(join(folder, name), { force: true });
    await rm(checksumFile(join(folder, name)), { force: true });
  }
  return backups.length - kept.length;
}

/** @param keep how many backups remain in the folder; undefined when the place is a file */
export async function backup(place: string, keep: number | undefined, overrides: Environment): Promise<void> {
  if (place === '-')
    throw new StartFault(
      'A backup is a file, not standard output: give the name of a file. (./- is a name, too.)',
    );
  const path = resolve(place);
  const source = new SqliteFile(sqlitePath(settingsOfExisting(overrides)));
  if (keep === undefined) return print(await writeBackup(path, source));
  await mkdir(path, { recursive: true });
  // Like `20261120T144000Z`.
  const stamp = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const name = `posts-${stamp}.sqlite`;
  print(await writeBackup(join(path, name), source));
  const removed = await prune(path, keep, name);
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
export async function restore(file: string, overrides: Environment): Promise<void> {
  const database = new SqliteFile(resolve(sqlitePath(loadSettings(overrides))));
  const target = database.path;
  const source = resolve(file);
  if (!existsSync(source)) throw new StartFault(`The file ${source} does not exist.`);
  if (!(await new SqliteFile(source).hasContent()))
    throw new StartFault(`${source} is not a SQLite database.`);
  if ((await realpath(source)) === (await realpath(target).catch(() => target)))
    throw new StartFault('The backup and the database are the same file.');
  const unlock = await database.lock();
  const copy = new SqliteFile(`${target}.restoring`);
  cleanUpOnSignal(() => remove(copy.path));
  try {
    await copyDatabase(source, copy);
    const posts = await copy.verify(source);
    const isChecked = await assertUnchanged(source);
    const { mode } = await stat(target).catch(() => ({ mode: 0o600 }));
    await chmod(copy.path, mode & 0o777);
    await database.giveToOwner(copy.path);
    await copy.endCopies(toPubDate(Math.ceil(Date.now() / 1_000) * 1_000));
    await sync(copy.path);
    const kept = await keepOld(database);
    await rename(copy.path, target);
    await sync(dirname(target));
    print(`${target} was restored. Posts: ${posts}.`);
    if (kept !== undefined) print(`The previous database is kept as ${kept}.`);
    print('It brings back passwords, sessions and API tokens, also those changed, ended or revoked since.');
    if (!isChecked)
      print(`There is no ${checksumFile(source)}, so changes of its texts would not be noticed.`);
  } finally {
    remove(copy.path);
    await unlock();
  }
}

async function copyDatabase(source: string, copy: SqliteFile): Promise<void> {
  const { path } = copy;
  remove(path);
  for (const part of PARTS) await unlessMissing(copyFile(source + part, path + part));
  // The copy has the mode of the backup, which may be read-only or readable by other users.
  await chmod(path, 0o600);
  // If SQLite cannot open the file, the verification that follows rejects it.
  await copy.removeLog().catch(() => undefined);
}

/** @returns the name under which the old database is kept; undefined when there was none */
async function keepOld(database: SqliteFile): Promise<string | undefined> {
  const { path } = database;
  // A damaged database is kept with its WAL.
  if (await database.hasContent().catch(() => false)) await database.checkpoint().catch(() => undefined);
  const kept = `${path}.${new Date().toISOString().replaceAll(/[-:.]/g, '')}`;
  let found = false;
  for (const part of PARTS) found = (await unlessMissing(link(path + part, kept + part))) || found;
  // Otherwise SQLite would apply the old WAL to the new database.
  for (const part of [...PARTS.slice(1), ...TRANSIENT_PARTS]) await rm(path + part, { force: true });
  return found ? kept : undefined;
}

function remove(path: string): void {
  for (const part of [...PARTS, ...TRANSIENT_PARTS]) rmSync(path + part, { force: true });
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
