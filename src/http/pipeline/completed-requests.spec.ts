import type { Request, Response } from 'express';
import { EventEmitter } from 'node:events';
import { observeCompletion } from './completed-requests.js';

describe('observeAnswers', () => {
  it('tells the other observers, too, when one of them throws', () => {
    const request = {} as Request;
    const response = new EventEmitter() as unknown as Response;
    const told: unknown[] = [];
    const fault = new Error('an observer is at fault');
    const observe = observeCompletion(
      [
        () => {
          throw fault;
        },
        (...observed) => told.push(observed),
      ],
      (...reported) => told.push(reported),
    );
    observe(request, response);
    response.emit('close');
    expect(told).toEqual([
      [fault, request],
      [request, response, expect.any(Number)],
    ]);
  });
});
