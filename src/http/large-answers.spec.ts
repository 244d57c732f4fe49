import type { Request, Response } from 'express';
import { EventEmitter } from 'node:events';
import { TooManyAnswers } from '../problem-details/problems.js';
import { BodyMemoryBudget } from './body-memory.js';
import { holdUntilRead } from './large-answers.js';

const MEBIBYTE = 1_048_576;
/** The memory holds 64 MiB. */
const answerMemory = new BodyMemoryBudget(MEBIBYTE);

function hold(bytes: number, { method = 'GET', destroyed = false } = {}): { release: () => void } {
  const request = { method, context: { answerMemory } } as unknown as Request;
  const response = Object.assign(new EventEmitter(), { destroyed, destroy: () => undefined });
  holdUntilRead(request, response as unknown as Response, bytes);
  return {
    release: () => {
      response.emit('close');
      request.context.memoryLease?.release();
    },
  };
}

describe('holdUntilRead', () => {
  it('refuses a large answer while others take all the memory', () => {
    const first = hold(60 * MEBIBYTE);
    expect(() => hold(5 * MEBIBYTE)).toThrow(TooManyAnswers);
    first.release();
    hold(5 * MEBIBYTE).release();
    expect(answerMemory.usedBytes).toBe(0);
  });

  it('takes nothing for a small answer, or for what was written', () => {
    hold(60_000);
    hold(5 * MEBIBYTE, { method: 'PUT' });
    expect(answerMemory.usedBytes).toBe(0);
  });

  it('takes nothing for a client that has left, and will not leave once more', () => {
    hold(5 * MEBIBYTE, { destroyed: true });
    expect(answerMemory.usedBytes).toBe(0);
  });
});
