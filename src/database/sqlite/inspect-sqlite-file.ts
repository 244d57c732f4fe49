import { access, constants, open as openFile, stat } from 'node:fs/promises';
import sqlite3 from 'sqlite3';
import { StartFault } from '../../settings/settings.js';
import { SqliteHandle } from './sqlite-handle.js';

/** The first bytes of every SQLite file (https://sqlite.org/fileformat2.html §1.3.1). */
const MAGIC = 'SQLite format 3\0';

/**
 * A check of all pages reads some hundred megabytes a second, so of a larger file only the first part is looked at: enough
 * to know a file that was cut off, or copied while it was written, at its header, its schema and its first pages. Damage
 * elsewhere is met by the query that comes to it, and by `posts backup`, which reads every page.
 */
const CHECK_TIMEOUT_MS = 300;

/**
 * Looks at a SQLite file before the service opens it, through a connection that can change nothing: a file that the
 * service cannot serve is left as it is.
 *
 * @param knownMigrations the names of all migrations that this version of the service has
 * @throws StartFault
 */
export async function inspectSqliteFile(path: string, knownMigrations: readonly string[]): Promise<void> {
  const size = await sizeOf(path);
  // SQLite takes an empty file for an empty database.
  if (size === 0) return;
  await assertWritable(path);
  if ((await readMagic(path)) !== MAGIC) throw new StartFault(`${path} is not a SQLite database.`);
  const handle = await SqliteHandle.open(path, sqlite3.OPEN_READONLY);
  try {
    await assertSound(handle, path);
    await assertOurs(handle, path, knownMigrations);
  } catch (error) {
    if (error instanceof StartFault) throw error;
    throw new StartFault(`The database ${path} is damaged; restore a backup.`, { cause: error });
  } finally {
    await handle.close();
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    const stats = await stat(path);
    if (!stats.isFile()) throw new StartFault(`${path} is not a file; DATABASE_URL must name one.`);
    return stats.size;
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return 0;
    throw error;
  }
}

async function assertWritable(path: string): Promise<void> {
  try {
    await access(path, constants.W_OK);
  } catch (cause) {
    throw new StartFault(`The database ${path} is read-only; the service must be able to write to it.`, {
      cause,
    });
  }
}

async function readMagic(path: string): Promise<string> {
  const file = await openFile(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}

async function assertSound(handle: SqliteHandle, path: string): Promise<void> {
  const timer = setTimeout(() => handle.database.interrupt(), CHECK_TIMEOUT_MS);
  try {
    const [row] = await handle.all<{ quick_check: string }>('PRAGMA quick_check(1)');
    if (row?.quick_check !== 'ok') {
      throw new StartFault(`The database ${path} is damaged; restore a backup.`, {
        cause: new Error(row?.quick_check),
      });
    }
  } catch (error) {
    if ((error as { code?: string }).code !== 'SQLITE_INTERRUPT') throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function assertOurs(handle: SqliteHandle, path: string, known: readonly string[]): Promise<void> {
  const tables = await handle.all<{ name: string }>(`SELECT name FROM sqlite_master WHERE type = 'table'`);
  if (tables.length === 0) return;
  if (!tables.some(({ name }) => name === 'migrations')) {
    throw new StartFault(`The database ${path} holds the tables of another program.`);
  }
  const applied = await handle.all<{ name: string }>('SELECT name FROM migrations');
  const unknown = applied.find(({ name }) => !known.includes(name));
  if (unknown) {
    throw new StartFault(
      `The database ${path} was written by a newer version of the service (${unknown.name}); start that version.`,
    );
  }
}
