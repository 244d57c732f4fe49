/** node:http with a constant response: the upper limit for any server on Node. */
import { createServer } from 'node:http';
import { page, port, post } from './constants.js';

createServer((request, response) => {
  const body = request.url.startsWith('/posts/?') ? page : post;
  const respond = () => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
    response.end(body);
  };
  if (request.method === 'GET') respond();
  else request.resume().on('end', respond);
}).listen(port, '127.0.0.1');
