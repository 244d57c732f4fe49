/** node:http alone, answering bytes that never change: what no server on Node can pass. */
import { createServer } from 'node:http';
import { port } from './posts.js';

const post = Buffer.from(
  JSON.stringify({ id: 1, title: 'Post 1', pub_date: '2026-11-20T14:40:00.000Z', body: 'x'.repeat(300) }),
);
const page = Buffer.from(`[${Array.from({ length: 20 }, () => post.toString()).join()}]`);

createServer((request, response) => {
  const body = request.url.startsWith('/posts/?') ? page : post;
  const answer = () => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
    response.end(body);
  };
  if (request.method === 'GET') answer();
  else request.resume().on('end', answer);
}).listen(port, '127.0.0.1');
