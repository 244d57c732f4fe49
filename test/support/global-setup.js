// This file is JavaScript, because jest does not transpile globalSetup as an ES module.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import buildChanges from './build.js';

const BUILT = join(import.meta.dirname, '../../dist/src');

/**
 * Builds the changed sources and creates a SQLite file with the current schema. The tests copy that file, because a
 * migration takes longer than most tests. jest calls this once for all projects that name it; postgres-setup.js calls
 * it, too.
 */
export default async function globalSetup() {
  if (process.env['TEST_SQLITE_TEMPLATE']) return;
  await buildChanges();
  const folder = await mkdtemp(join(tmpdir(), 'posts-template-'));
  const path = join(folder, 'posts.sqlite');
  await migrate(`sqlite:${path}`);
  process.env['TEST_SQLITE_TEMPLATE'] = path;
}

/** @param {string} url of an empty database */
export async function migrate(url) {
  // The files may not exist until the build, so they cannot be imported statically.
  const [{ openDataSource }, { writerOptions }, { readSettings }] = await Promise.all(
    ['database/open-database.js', 'database/data-source-options.js', 'settings/settings.js'].map(
      (name) => import(pathToFileURL(join(BUILT, name)).href),
    ),
  );
  const { database } = readSettings({ DATABASE_URL: url }, { isTerminal: false });
  const dataSource = await openDataSource(writerOptions(database));
  await dataSource.destroy();
}
