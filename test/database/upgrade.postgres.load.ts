import { Client } from 'pg';
import { SchemaDataSource } from '../../src/database/data-source.js';
import { writerOptions } from '../../src/database/data-source-options.js';
import { MIGRATIONS } from '../../src/database/migrations.js';
import { migrate } from '../../src/database/migrate.js';
import { readSettings } from '../../src/settings/settings.js';
import { freshDatabase } from '../support/database.js';
import { until } from '../support/until.js';
import { OF_1_1, ROWS_OF_1_1 } from './rows-of-version-1.1.js';

const ROUNDS = 5;
const CLIENTS = 7;

/** How version 1.1 stores a post and deletes it: the post, then its words, then its history, each in a transaction. */
const INSERT = `INSERT INTO posts (title, pub_date, body) VALUES ('t', '2026-11-23T17:33:36.349000Z', 'word') RETURNING id`;
const INDEX = `INSERT INTO posts_search VALUES ($1, 0, to_tsvector('simple', $2))`;
const DELETE = 'DELETE FROM posts WHERE id = $1';
const UNINDEX = 'DELETE FROM posts_search WHERE post_id = $1';
const RECORD = `
  INSERT INTO post_revisions (post_id, last_post_id, number, action, at, author_kind, old_title)
  VALUES ($1, $1, 2, 'deleted', '2026-11-23T17:33:37.000000Z', 'api', 't')`;

/** Stores and deletes posts until the end, as an instance of 1.1 does beside the migration. @param deleted gets their ids */
async function write(client: Client, deleted: number[], end: AbortSignal): Promise<void> {
  while (!end.aborted) {
    try {
      await client.query('BEGIN');
      const { rows } = await client.query<{ id: string }>(INSERT);
      const { id } = rows[0]!;
      await client.query(INDEX, [id, `word ${id}`]);
      await client.query('COMMIT');
      await client.query('BEGIN');
      await client.query(DELETE, [id]);
      await client.query(UNINDEX, [id]);
      await client.query(RECORD, [id]);
      await client.query('COMMIT');
      deleted.push(Number(id));
    } catch (error) {
      await client.query('ROLLBACK');
      // 1.1 repeats a write after a deadlock.
      if ((error as { code?: string }).code !== '40P01') throw error;
    }
  }
}

const SEARCH = `SELECT count(*) FROM posts_search WHERE words @@ to_tsquery('simple', 'word')`;

/** Searches until the end, as 1.1 does: it does not repeat a read after a deadlock. */
async function search(client: Client, end: AbortSignal): Promise<void> {
  // Without the index, the statement would not ask for its lock after that of the table.
  await client.query('SET enable_seqscan = off');
  while (!end.aborted) await client.query(SEARCH);
}

/** A database of version 1.1 while it writes. */
async function migrateBesideWriters(): Promise<{ deleted: number[]; known: number[] }> {
  const database = await freshDatabase();
  await database.execute('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  const { database: settings } = readSettings({ DATABASE_URL: database.url }, { isTerminal: false });
  const old = new SchemaDataSource({ ...writerOptions(settings), migrations: MIGRATIONS.slice(0, 1) });
  await migrate(await old.initialize());
  await old.destroy();
  const rows = ROWS_OF_1_1.replaceAll(' VALUES', ' OVERRIDING SYSTEM VALUE VALUES');
  await database.execute(rows + OF_1_1.postgres);

  const clients = Array.from({ length: CLIENTS }, () => new Client(database.url));
  await Promise.all(clients.map((client) => client.connect()));
  const end = new AbortController();
  const deleted: number[] = [];
  const [searcher, ...writers] = clients as [Client, ...Client[]];
  const running = Promise.all([
    search(searcher, end.signal),
    ...writers.map((client) => write(client, deleted, end.signal)),
  ]);
  await until(() => deleted.length > CLIENTS);
  const upgraded = await new SchemaDataSource(writerOptions(settings)).initialize();
  try {
    await migrate(upgraded);
  } finally {
    end.abort();
  }
  await running;
  const found = await upgraded.query<{ id: string }[]>('SELECT id FROM post_deletions');
  await Promise.all(clients.map((client) => client.end()));
  await upgraded.destroy();
  await database.remove();
  return { deleted, known: found.map(({ id }) => Number(id)) };
}

describe('the upgrade of version 1.1 while it writes', () => {
  it('succeeds, misses no post that is deleted meanwhile, and ends no search', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { deleted, known } = await migrateBesideWriters();
      expect(deleted.filter((id) => !known.includes(id))).toEqual([]);
    }
  });

  it('lets reads run while it waits for a write', async () => {
    const database = await freshDatabase();
    const { database: settings } = readSettings({ DATABASE_URL: database.url }, { isTerminal: false });
    const dataSource = await new SchemaDataSource(writerOptions(settings)).initialize();
    for (const _ of MIGRATIONS.slice(1)) await dataSource.undoLastMigration();
    const writer = new Client(database.url);
    await writer.connect();
    await writer.query('BEGIN');
    await writer.query(INSERT);
    const migrated = migrate(dataSource);
    const reader = new Client(database.url);
    await reader.connect();
    // The migration waits for the writer.
    const waiting = `SELECT count(*) AS n FROM pg_locks WHERE NOT granted AND relation = CAST('posts' AS regclass)`;
    while ((await reader.query<{ n: string }>(waiting)).rows[0]!.n === '0') continue;
    await reader.query(`SET statement_timeout = '5s'`);
    expect((await reader.query('SELECT feed_id FROM posts_state')).rowCount).toBe(1);
    expect((await reader.query('SELECT count(*) FROM posts')).rowCount).toBe(1);
    await writer.query('COMMIT');
    await migrated;
    await Promise.all([writer.end(), reader.end()]);
    await dataSource.destroy();
    await database.remove();
  });

  it('lets writes run again and again while it waits for a long read', async () => {
    const database = await freshDatabase();
    const { database: settings } = readSettings({ DATABASE_URL: database.url }, { isTerminal: false });
    const dataSource = await new SchemaDataSource(writerOptions(settings)).initialize();
    for (const _ of MIGRATIONS.slice(1)) await dataSource.undoLastMigration();
    const [exporter, writer] = [new Client(database.url), new Client(database.url)];
    await Promise.all([exporter.connect(), writer.connect()]);
    // An export of version 1.1 begins with the state of the posts. The migration changes this table.
    await exporter.query('BEGIN');
    await exporter.query('SELECT feed_id FROM posts_state');
    const migrated = migrate(dataSource);
    // It has the lock of the posts, and waits for that of their state.
    const waiting = `SELECT count(*) AS n FROM pg_locks WHERE NOT granted AND relation = CAST('posts_state' AS regclass)`;
    while ((await writer.query<{ n: string }>(waiting)).rows[0]!.n === '0') continue;
    await writer.query(`SET statement_timeout = '10s'`);
    expect((await writer.query(INSERT)).rowCount).toBe(1);
    await exporter.query('COMMIT');
    await migrated;
    await Promise.all([exporter.end(), writer.end()]);
    await dataSource.destroy();
    await database.remove();
  });
});
