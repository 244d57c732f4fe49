/** As fastify-better-sqlite3.js, with the same work for each write as the service; see same-work.js. */
import Database from 'better-sqlite3';
import { file, prepare, serve, SQL } from './posts.js';
import { now, wordsOf } from './same-work.js';

const database = new Database(file);
for (const statement of prepare) database.exec(statement);
database.exec(`
  CREATE TABLE IF NOT EXISTS revisions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    post_id INTEGER NOT NULL,
    number INTEGER NOT NULL,
    action TEXT NOT NULL,
    at TEXT NOT NULL,
    old_title TEXT,
    old_pub_date TEXT,
    old_body TEXT
  );
  CREATE INDEX IF NOT EXISTS revisions_by_post ON revisions (post_id, number);
  CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(terms, content='', contentless_delete=1, detail=none);
  CREATE TABLE IF NOT EXISTS counters (posts INTEGER NOT NULL, changes INTEGER NOT NULL, modified TEXT NOT NULL);
  INSERT INTO counters SELECT 0, 0, '' WHERE NOT EXISTS (SELECT 1 FROM counters);
`);
const byId = database.prepare(SQL.byId);
const list = database.prepare(SQL.list);
const listBefore = database.prepare(SQL.listBefore);
const insert = database.prepare(SQL.insert);
const update = database.prepare(SQL.update);
const index = database.prepare('INSERT OR REPLACE INTO words (rowid, terms) VALUES (?, ?)');
const record = database.prepare(`
  INSERT INTO revisions (post_id, number, action, at, old_title, old_pub_date, old_body)
  VALUES (?, 1 + (SELECT count(*) FROM revisions WHERE post_id = ?), ?, ?, ?, ?, ?)`);
const count = database.prepare('UPDATE counters SET posts = posts + ?, changes = changes + 1, modified = ?');

const create = database.transaction((title, pubDate, body) => {
  const stored = insert.get(title, pubDate, body);
  const at = now();
  index.run(stored.id, wordsOf(title, body));
  record.run(stored.id, stored.id, 'created', at, null, null, null);
  count.run(1, at);
  return stored;
});

const replace = database.transaction((id, title, pubDate, body) => {
  const before = byId.get(id);
  if (!before) return undefined;
  const stored = update.get(title, pubDate, body, id);
  const at = now();
  index.run(id, wordsOf(title, body));
  record.run(id, id, 'changed', at, before.title, before.pub_date, before.body);
  count.run(0, at);
  return stored;
});

await serve({
  find: (id) => byId.get(id),
  list: (limit, before) => (before === undefined ? list.all(limit) : listBefore.all(before, limit)),
  create: (...values) => create.immediate(...values),
  replace: (...values) => replace.immediate(...values),
});
