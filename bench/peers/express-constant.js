/** Express 5 with a constant response: the cost of Express itself. */
import express from 'express';
import { page, port, post } from './constants.js';

const app = express();
app.disable('x-powered-by');
app.disable('etag');

const respond = (body) => (request, response) => response.type('json').send(body);
const answerAfterBody = (request, response) =>
  request.resume().on('end', () => respond(post)(request, response));
app.get('/posts/:id/', respond(post));
app.get('/posts/', respond(page));
app.post('/posts/', answerAfterBody);
app.put('/posts/:id/', answerAfterBody);
app.listen(port, '127.0.0.1');
