/** Express 5 with a constant response: the cost of Express itself. */
import express from 'express';
import { page, port, post } from './constants.js';

const app = express();
app.disable('x-powered-by');
app.disable('etag');

const answer = (body) => (request, response) => response.type('json').send(body);
const answerAfterBody = (request, response) =>
  request.resume().on('end', () => answer(post)(request, response));
app.get('/posts/:id/', answer(post));
app.get('/posts/', answer(page));
app.post('/posts/', answerAfterBody);
app.put('/posts/:id/', answerAfterBody);
app.listen(port, '127.0.0.1');
