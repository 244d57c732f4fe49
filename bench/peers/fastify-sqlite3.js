/** Handwritten server with Fastify 5 and sqlite3, the driver of the service, whose queries run on a thread. */
import sqlite3 from 'sqlite3';
import { file, prepare, serve, SQL } from './posts.js';

/** Opens a connection. Writes have their own, so that reads do not wait for the disk. */
function open() {
  return new Promise((resolve, reject) => {
    const database = new sqlite3.Database(file, (error) => (error ? reject(error) : resolve(database)));
  });
}

/** A prepared statement, as a function of its values. */
function statement(database, sql, method) {
  const prepared = database.prepare(sql);
  return (...values) =>
    new Promise((resolve, reject) => {
      prepared[method](values, (error, result) => (error ? reject(error) : resolve(result)));
    });
}

const [writer, reader] = [await open(), await open()];
for (const sql of prepare) await statement(writer, sql, 'run')();
const byId = statement(reader, SQL.byId, 'get');
const list = statement(reader, SQL.list, 'all');
const listBefore = statement(reader, SQL.listBefore, 'all');
const insert = statement(writer, SQL.insert, 'get');
const update = statement(writer, SQL.update, 'get');

await serve({
  find: byId,
  list: (limit, before) => (before === undefined ? list(limit) : listBefore(before, limit)),
  create: insert,
  replace: (id, title, pubDate, body) => update(title, pubDate, body, id),
});
