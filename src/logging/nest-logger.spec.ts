import { Logger as NestLog } from '@nestjs/common';
import { createLogger } from './logger.js';
import { nestLogger } from './nest-logger.js';

function makeLogger(logLevel: 'trace' | 'info' = 'trace') {
  const records: unknown[] = [];
  const logger = createLogger(
    { logLevel, logFormat: 'json' },
    { write: (line) => records.push(JSON.parse(line)) },
  );
  return { nest: nestLogger(logger), records };
}

describe('nestLogger', () => {
  it.each([
    ['log', 'debug'],
    ['error', 'error'],
    ['warn', 'warn'],
    ['debug', 'debug'],
    ['verbose', 'trace'],
    ['fatal', 'fatal'],
  ] as const)('writes %s as %s', (method, level) => {
    const { nest, records } = makeLogger();
    nest[method]('a message', 'PostsService');
    expect(records).toEqual([{ level, time: expect.any(String), context: 'PostsService', msg: 'a message' }]);
  });

  const error = new RangeError('too far');
  const err = { type: 'RangeError', message: 'too far', stack: expect.any(String) };
  it.each<[string, unknown[], object]>([
    ['a message alone', ['100 %s'], { msg: '100 %s' }],
    ['an error and a context', [error, undefined, 'Posts'], { msg: 'too far', context: 'Posts', err }],
    ['a message and an error', ['failed', error, 'Posts'], { msg: 'failed', context: 'Posts', err }],
    ['no message', [undefined], { msg: 'undefined' }],
    ['more values', ['a', { b: 1 }, 'c', 'Posts'], { msg: 'a', context: 'Posts', params: [{ b: 1 }, 'c'] }],
  ])('logs %s', (_, [message, ...rest], expected) => {
    const { nest, records } = makeLogger();
    nest.error(message, ...rest);
    expect(records).toEqual([{ level: 'error', time: expect.any(String), ...expected }]);
  });

  it("receives the messages of Nest's Logger with their context", () => {
    const { nest, records } = makeLogger();
    const log = new NestLog('Posts');
    NestLog.overrideLogger(nest);
    try {
      log.log('started');
      log.error('failed');
    } finally {
      NestLog.overrideLogger(false);
    }
    expect(records).toMatchObject([
      { level: 'debug', msg: 'started', context: 'Posts' },
      { level: 'error', msg: 'failed', context: 'Posts' },
    ]);
  });
});
