/** Handwritten server with Fastify 5 and better-sqlite3: another driver than that of the service, without threads. */
import Database from 'better-sqlite3';
import { file, prepare, serve, SQL } from './posts.js';

const database = new Database(file);
for (const statement of prepare) database.exec(statement);
const byId = database.prepare(SQL.byId);
const list = database.prepare(SQL.list);
const listBefore = database.prepare(SQL.listBefore);
const insert = database.prepare(SQL.insert);
const update = database.prepare(SQL.update);

await serve({
  find: (id) => byId.get(id),
  list: (limit, before) => (before === undefined ? list.all(limit) : listBefore.all(before, limit)),
  create: (title, pubDate, body) => insert.get(title, pubDate, body),
  replace: (id, title, pubDate, body) => update.get(title, pubDate, body, id),
});
