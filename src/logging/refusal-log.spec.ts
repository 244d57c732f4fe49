import { jest } from '@jest/globals';
import type { Request, Response } from 'express';
import { createLogger } from './logger.js';
import { RefusalLog } from './refusal-log.js';

const FULL = 'The database has no space left.';
const post = { method: 'POST', context: { id: 'r1' } } as Request;
const get = { method: 'GET', context: { id: 'r2' } } as Request;
const stored = { statusCode: 201 } as Response;

describe('RefusalLog', () => {
  let lines: unknown[];
  let log: RefusalLog;

  beforeEach(() => {
    jest.useFakeTimers({ now: 0 });
    lines = [];
    const destination = { write: (line: string) => lines.push(JSON.parse(line)) };
    log = new RefusalLog(createLogger({ logLevel: 'info', logFormat: 'json' }, destination));
  });
  afterEach(() => jest.useRealTimers());

  it('logs a line without a stack, at most one a second for each kind', () => {
    const cause = new Error('The database is full', { cause: new Error('SQLITE_FULL') });
    log.note(post, FULL, cause);
    log.note(post, FULL, cause);
    log.note(post, 'Too many imports.', undefined);
    jest.advanceTimersByTime(1_000);
    log.note(post, FULL, cause);
    const line = { level: 'warn', time: expect.any(String), request_id: 'r1' };
    expect(lines).toEqual([
      { ...line, refused: 1, cause: 'The database is full: SQLITE_FULL', msg: FULL },
      { ...line, refused: 1, msg: 'Too many imports.' },
      { ...line, refused: 3, cause: 'The database is full: SQLITE_FULL', msg: FULL },
    ]);
  });

  it('logs once when requests of the refused kind succeed again', () => {
    log.note(post, FULL, undefined);
    log.observe(post, stored);
    jest.advanceTimersByTime(2_000);
    log.observe(get, stored);
    log.observe(post, { statusCode: 503 } as Response);
    expect(lines).toHaveLength(1);
    log.observe(post, stored);
    log.observe(post, stored);
    expect(lines.slice(1)).toEqual([
      {
        level: 'info',
        time: expect.any(String),
        refused: 1,
        seconds: 2,
        reason: FULL,
        msg: 'Available again: writes.',
      },
    ]);
  });
});
