import type { Request, Response } from 'express';
import { TooManyAnswers } from '../problem-details/problems.js';
import { clientOfRequest } from './client-address.js';
import { longestReadMs } from './reader-pace.js';

/** So much the system keeps for a connection anyway. */
const LARGE_BYTES = 65_536;

/**
 * Bounds what the answers take together that their clients have yet to read: a read that finds no room for its large
 * answer is refused, and one whose client is too slow is ended. A write is answered whatever it takes: it was done.
 *
 * @throws TooManyAnswers
 */
export function holdUntilRead(request: Request, response: Response, bytes: number): void {
  const { context, method } = request;
  if (bytes <= LARGE_BYTES || method !== 'GET' || !context.answerMemory) return;
  // Of a client that has left nothing more is heard, so what is taken now would never be given back.
  if (response.destroyed) return;
  const lease = context.answerMemory.lease(clientOfRequest(request));
  if (!lease.take(bytes)) throw new TooManyAnswers();
  context.memoryLease = lease;
  const timer = setTimeout(() => response.destroy(), longestReadMs(bytes));
  response.once('close', () => clearTimeout(timer));
}
