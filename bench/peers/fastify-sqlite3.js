/** Handwritten server with Fastify 5 and sqlite3, the driver of the service, whose queries run on a thread. */
import { promisify } from 'node:util';
import sqlite3 from 'sqlite3';
import { file, prepare, serve, SQL } from './posts.js';

/** A prepared statement, as a function of its values. */
function statement(database, sql, method) {
  const prepared = database.prepare(sql);
  const call = promisify(prepared[method].bind(prepared));
  return (...values) => call(values);
}

// Reads do not wait for the disk.
const [writer, reader] = [new sqlite3.Database(file), new sqlite3.Database(file)];
for (const database of [writer, reader]) database.configure('busyTimeout', 5_000);
for (const sql of prepare) await statement(writer, sql, 'run')();
const byId = statement(reader, SQL.byId, 'get');
const list = statement(reader, SQL.list, 'all');
const listBefore = statement(reader, SQL.listBefore, 'all');
// Not `get`, which steps once: a statement with RETURNING has then not ended, and its transaction is not committed.
const insert = statement(writer, SQL.insert, 'all');
const update = statement(writer, SQL.update, 'all');

await serve({
  find: byId,
  list: (limit, before) => (before === undefined ? list(limit) : listBefore(before, limit)),
  create: async (title, pubDate, body) => (await insert(title, pubDate, body))[0],
  replace: async (id, title, pubDate, body) => (await update(title, pubDate, body, id))[0],
});
