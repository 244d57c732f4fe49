/** Handwritten server with Fastify 5 and better-sqlite3, with request and response schemas. */
import Fastify from 'fastify';
import { newPost, openPosts, port, post } from './posts.js';

const posts = await openPosts();
const app = Fastify({ bodyLimit: 67_108_864 });

app.get('/posts/:id/', { schema: { response: { 200: post } } }, (request, reply) => {
  const found = posts.byId.get(Number(request.params.id));
  if (!found) return reply.code(404).send({ status: 404 });
  return reply.send(found);
});
app.get('/posts/', { schema: { response: { 200: { type: 'array', items: post } } } }, (request, reply) =>
  reply.send(posts.list.all(Number(request.query.limit ?? 100))),
);
app.post('/posts/', { schema: { body: newPost, response: { 201: post } } }, (request, reply) => {
  const { title, body, pub_date = new Date().toISOString() } = request.body;
  const { lastInsertRowid: id } = posts.insert.run(title, pub_date, body);
  return reply
    .code(201)
    .header('Location', `/posts/${id}/`)
    .send({ id: Number(id), title, pub_date, body });
});
app.put('/posts/:id/', { schema: { body: newPost, response: { 200: post } } }, (request, reply) => {
  const id = Number(request.params.id);
  const { title, body, pub_date = null } = request.body;
  if (posts.update.run(title, pub_date, body, id).changes === 0) return reply.code(404).send({ status: 404 });
  return reply.send(posts.byId.get(id));
});

await app.listen({ port, host: '127.0.0.1' });
