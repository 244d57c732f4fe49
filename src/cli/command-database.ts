import { existsSync } from 'node:fs';
import { SqliteFileInUse } from '../database/sqlite/service-lock.js';
import { loadSettings } from '../settings/load-settings.js';
import { type Settings, StartFault } from '../settings/settings.js';
import { UsageError } from './command.js';
import type { PostsAccess } from './posts-access.js';
import { Progress } from './progress.js';
import { ServiceAccess } from './service-access.js';

/** @param url of a running service; without it, the database of the settings is opened @throws UsageError */
export async function openPosts(url: string | undefined): Promise<PostsAccess> {
  const settings = loadSettings();
  if (url !== undefined) return new ServiceAccess(readUrl(url), settings.apiTokens[0]);
  // The database modules take a second to load, and no other access needs them.
  const { DatabaseAccess } = await import('./database-access.js');
  try {
    return await DatabaseAccess.open(settings);
  } catch (error) {
    if (!(error instanceof SqliteFileInUse)) throw error;
    throw new StartFault(
      `The database is open in a running service. Use its API: --url ${error.serviceUrl ?? 'and its address'}`,
      { cause: error },
    );
  }
}

/** Runs work that shows its progress, and closes what it works on. */
export async function withProgress<Opened extends { close(): Promise<void> }, Result>(
  opened: Opened,
  work: (opened: Opened, progress: Progress) => Promise<Result>,
): Promise<Result> {
  const progress = new Progress(process.stderr);
  try {
    return await work(opened, progress);
  } finally {
    progress.end();
    await opened.close();
  }
}

function readUrl(text: string): URL {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new UsageError('--url: must be an http or https URL.');
  return new URL(text);
}

/** @throws StartFault when the SQLite file of the settings does not exist; opening it would create it */
export function settingsOfExisting(): Settings {
  const settings = loadSettings();
  const { database } = settings;
  if (database.kind === 'sqlite' && !existsSync(database.path))
    throw new StartFault(`There is no database at ${database.path}.`);
  return settings;
}

/** @throws StartFault when the settings name a PostgreSQL database, which has its own backup tools */
export function sqlitePath({ database }: Settings): string {
  if (database.kind === 'sqlite') return database.path;
  throw new StartFault(
    'DATABASE_URL names a PostgreSQL database: use pg_dump and pg_restore; see docs/operations.md.',
  );
}
