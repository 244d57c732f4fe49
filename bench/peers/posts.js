/** What the peers share: a server with request and response schemas, the statements, and the table on SQLite. */
import Fastify from 'fastify';

export const file = process.env.DATABASE_FILE;

/** The same durability as the service: a commit returns once it is on disk. */
export const prepare = [
  'PRAGMA journal_mode = WAL',
  'PRAGMA synchronous = FULL',
  `CREATE TABLE IF NOT EXISTS posts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    title TEXT NOT NULL,
    pub_date TEXT NOT NULL,
    body TEXT NOT NULL
  )`,
  'CREATE INDEX IF NOT EXISTS posts_by_pub_date ON posts (pub_date, id)',
];

const fields = 'id, title, pub_date, body';
export const SQL = {
  byId: `SELECT ${fields} FROM posts WHERE id = ?`,
  list: `SELECT ${fields} FROM posts ORDER BY pub_date DESC, id DESC LIMIT ?`,
  listBefore: `SELECT ${fields} FROM posts WHERE pub_date < ? ORDER BY pub_date DESC, id DESC LIMIT ?`,
  insert: `INSERT INTO posts (title, pub_date, body) VALUES (?, ?, ?) RETURNING ${fields}`,
  update: `UPDATE posts SET title = ?, pub_date = coalesce(?, pub_date), body = ? WHERE id = ? RETURNING ${fields}`,
};

const post = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    title: { type: 'string' },
    pub_date: { type: 'string' },
    body: { type: 'string' },
  },
};
const date = { type: 'string', format: 'date-time' };
const newPost = {
  type: 'object',
  required: ['title', 'body'],
  additionalProperties: false,
  properties: {
    title: { type: 'string', minLength: 1, maxLength: 200 },
    body: { type: 'string' },
    pub_date: date,
  },
};
const page = {
  type: 'object',
  properties: { limit: { type: 'integer', minimum: 1, maximum: 1000, default: 100 }, pub_date_before: date },
};

/** Calls the function with the value, once there is one. A promise would cost a driver without threads some time. */
const after = (value, then) => (value instanceof Promise ? value.then(then) : then(value));

const found = (reply) => (stored) => stored ?? reply.code(404).send({ status: 404 });

/** Serves posts. The functions of `posts` may return promises. */
export async function serve(posts) {
  const app = Fastify({ bodyLimit: 67_108_864 });
  app.get('/posts/:id/', { schema: { response: { 200: post } } }, (request, reply) =>
    after(posts.find(Number(request.params.id)), found(reply)),
  );
  app.get(
    '/posts/',
    { schema: { querystring: page, response: { 200: { type: 'array', items: post } } } },
    ({ query: { limit, pub_date_before: before } }) => posts.list(limit, before),
  );
  app.post('/posts/', { schema: { body: newPost, response: { 201: post } } }, (request, reply) => {
    const { title, body, pub_date = new Date().toISOString() } = request.body;
    return after(posts.create(title, pub_date, body, request.ip), (stored) =>
      reply.code(201).header('Location', `/posts/${stored.id}/`).send(stored),
    );
  });
  app.put('/posts/:id/', { schema: { body: newPost, response: { 200: post } } }, (request, reply) => {
    const { title, body, pub_date = null } = request.body;
    return after(posts.replace(Number(request.params.id), title, pub_date, body, request.ip), found(reply));
  });
  await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
}
