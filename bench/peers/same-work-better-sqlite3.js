/**
 * As fastify-better-sqlite3.js, with the same work for each write as the service; see same-work.js. SQLite copies its log
 * to the database within the COMMIT that makes the log long enough, as it does by default.
 */
import Database from 'better-sqlite3';
import { file, prepare, serve, SQL } from './posts.js';
import { now, SAME_WORK, wordsOf } from './same-work.js';

const database = new Database(file);
for (const statement of prepare) database.exec(statement);
database.exec(`
  ALTER TABLE posts ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE posts ADD COLUMN modified TEXT NOT NULL DEFAULT '';
  CREATE INDEX posts_by_title ON posts (title, id);
  CREATE INDEX posts_by_modified ON posts (modified, id);
  CREATE TABLE revisions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    post_id INTEGER NOT NULL,
    number INTEGER NOT NULL,
    action TEXT NOT NULL,
    at TEXT NOT NULL,
    address TEXT,
    old_title TEXT,
    old_pub_date TEXT,
    old_body TEXT
  );
  CREATE INDEX revisions_by_post ON revisions (post_id, number);
  CREATE VIRTUAL TABLE words USING fts5(terms, content='', contentless_delete=1, detail=none, tokenize='ascii');
  CREATE TABLE counters (posts INTEGER NOT NULL, changes INTEGER NOT NULL, modified TEXT NOT NULL);
  INSERT INTO counters VALUES (0, 0, '');
`);
const byId = database.prepare(SQL.byId);
const list = database.prepare(SQL.list);
const listBefore = database.prepare(SQL.listBefore);
const stored = database.prepare(SAME_WORK.byId);
const insert = database.prepare(SAME_WORK.insert);
const update = database.prepare(SAME_WORK.update);
const record = database.prepare(SAME_WORK.record);
const index = database.prepare('INSERT OR REPLACE INTO words (rowid, terms) VALUES (?, ?)');
const count = database.prepare('UPDATE counters SET posts = posts + ?, changes = changes + 1, modified = ?');

const create = database.transaction((title, pubDate, body, address) => {
  const at = now();
  const created = insert.get(title, pubDate, body, at);
  index.run(created.id, wordsOf(title, body));
  record.run(created.id, 1, 'created', at, address, null, null, null);
  count.run(1, at);
  return created;
});

const replace = database.transaction((id, title, pubDate, body, address) => {
  const before = stored.get(id);
  if (!before) return undefined;
  const at = now();
  const replaced = update.get(title, pubDate, body, at, id, before.version);
  index.run(id, wordsOf(title, body));
  const old = [before.title, before.pub_date, before.body];
  record.run(id, before.version + 1, 'changed', at, address, ...old);
  count.run(0, at);
  return replaced;
});

await serve({
  find: (id) => byId.get(id),
  list: (limit, before) => (before === undefined ? list.all(limit) : listBefore.all(before, limit)),
  create: (...values) => create.immediate(...values),
  replace: (...values) => replace.immediate(...values),
});
