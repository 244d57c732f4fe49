import { createLogger } from './logger.js';
import { nestLogger } from './nest-logger.js';

describe('nestLogger', () => {
  const records: unknown[] = [];
  const destination = { write: (line: string) => records.push(JSON.parse(line)) };
  const nest = nestLogger(createLogger({ logLevel: 'trace', logFormat: 'json' }, destination));
  beforeEach(() => records.splice(0));

  it.each([
    ['log', 'info'],
    ['warn', 'warn'],
    ['verbose', 'trace'],
    ['fatal', 'fatal'],
  ] as const)('writes %s as %s', (method, level) => {
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
    nest.error(message, ...rest);
    expect(records).toEqual([{ level: 'error', time: expect.any(String), ...expected }]);
  });
});
