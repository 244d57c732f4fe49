/** Handwritten server with Fastify 5 and pg, with prepared statements. */
import { pool, reads, statement } from './pg-posts.js';
import { serve, SQL } from './posts.js';

const insert = statement('insert', SQL.insert);
const update = statement('update', SQL.update);

await serve({
  ...reads,
  create: async (title, pubDate, body) => (await insert(pool, title, pubDate, body))[0],
  replace: async (id, title, pubDate, body) => (await update(pool, title, pubDate, body, id))[0],
});
