/** Handwritten server with Express 5 and better-sqlite3. */
import express from 'express';
import { openPosts, port } from './posts.js';

const posts = await openPosts();
const app = express();
app.disable('x-powered-by');
app.use(express.json({ limit: 67_108_864 }));

app.get('/posts/:id/', (request, response) => {
  const found = posts.byId.get(Number(request.params.id));
  if (found) response.json(found);
  else response.status(404).json({ status: 404 });
});
app.get('/posts/', (request, response) => {
  response.json(posts.list.all(Number(request.query.limit ?? 100)));
});
app.post('/posts/', (request, response) => {
  const { title, body, pub_date = new Date().toISOString() } = request.body;
  if (typeof title !== 'string' || typeof body !== 'string')
    return response.status(400).json({ status: 400 });
  const { lastInsertRowid: id } = posts.insert.run(title, pub_date, body);
  return response
    .status(201)
    .location(`/posts/${id}/`)
    .json({ id: Number(id), title, pub_date, body });
});
app.put('/posts/:id/', (request, response) => {
  const id = Number(request.params.id);
  const { title, body, pub_date = null } = request.body;
  if (posts.update.run(title, pub_date, body, id).changes === 0)
    return response.status(404).json({ status: 404 });
  return response.json(posts.byId.get(id));
});

app.listen(port, '127.0.0.1');
