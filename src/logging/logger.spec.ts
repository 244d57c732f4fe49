import type { Settings } from '../settings/settings.js';
import { createLogger } from './logger.js';

/** A line feed, NEL, U+2028, an escape sequence, C1's CSI, a right-to-left override, and a forged line. */
const EVIL =
  'a\nb\r\nc\u0085d\u2028e\u2029f\u001B[2Jg\u009B2Jh\u202Ei\tj\u0000k\u007F\n[12:00:00] INFO: forged';
const ESCAPED = String.raw`a\u000ab\u000d\u000ac\u0085d\u2028e\u2029f\u001b[2Jg\u009b2Jh\u202ei\u0009j\u0000k\u007f\u000a[12:00:00] INFO: forged`;
/** A line without a character that could break it. */
const SAFE = /^[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+$/u;

function makeLogger(settings: Partial<Pick<Settings, 'logLevel' | 'logFormat'>> = {}) {
  const written: string[] = [];
  const destination = { write: (text: string) => void written.push(text) };
  const logger = createLogger({ logLevel: 'info', logFormat: 'json', ...settings }, destination);
  return { logger, text: () => written.join(''), record: (): unknown => JSON.parse(written.join('')) };
}

describe('createLogger', () => {
  it.each([
    ['warn', /^\{.*"msg":"b".*\}\n$/],
    ['silent', /^$/],
  ] as const)('writes nothing below the level %s', (logLevel, expected) => {
    const { logger, text } = makeLogger({ logLevel });
    logger.info('a');
    logger.warn('b');
    expect(text()).toMatch(expected);
  });

  describe('as json', () => {
    it('writes a line with level, time in ISO 8601, fields and message, which preserves hostile text', () => {
      const { logger, text, record } = makeLogger();
      logger.info({ request_id: 'r1', path: EVIL }, EVIL);
      expect(text()).toMatch(/^\{[^\n\r]*\}\n$/);
      const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(record()).toEqual({ level: 'info', time, request_id: 'r1', path: EVIL, msg: EVIL });
    });

    it('describes an error with its stack, causes and code, but without its other properties', () => {
      const { logger, record } = makeLogger();
      const cause = new Error('no address', { cause: new Error('refused') });
      const details = { code: 7, parameters: ['a post'] };
      logger.error({ err: Object.assign(new TypeError('no database', { cause }), details) }, 'failed');
      const stack =
        /^TypeError: no database\n +at [^]*\ncaused by: Error: no address\n +at [^]*\ncaused by: Error: refused\n +at /;
      expect(record()).toMatchObject({
        level: 'error',
        msg: 'failed',
        err: { type: 'TypeError', message: 'no database', stack: expect.stringMatching(stack), code: 7 },
      });
      expect(record()).not.toHaveProperty('err.parameters');

      const other = makeLogger();
      other.logger.error({ err: 'a text' }, 'thrown');
      expect(other.record()).toMatchObject({ err: 'a text' });
    });
  });

  describe('as pretty', () => {
    it('writes a request as a single line', () => {
      const { logger, text } = makeLogger({ logFormat: 'pretty' });
      logger.info({ request_id: 'r1', status: 200 }, 'GET /posts/');
      const line = /^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: GET \/posts\/ \{"request_id":"r1","status":200\}\n$/;
      expect(text()).toMatch(line);
    });

    it.each(['msg', 'path', 'stack'])('escapes hostile text in the field %j', (field) => {
      const { logger, text } = makeLogger({ logFormat: 'pretty' });
      logger.info({ [field]: EVIL, nested: [{ [field]: EVIL }] });
      expect(text().slice(0, -1)).toMatch(SAFE);
      expect(text()).toContain(ESCAPED);
    });

    it('indents the stack of an error, and escapes line breaks in its message', () => {
      const { logger, text } = makeLogger({ logFormat: 'pretty' });
      logger.error({ err: new Error(EVIL) }, 'failed');
      const [first, ...others] = text().trimEnd().split('\n');
      expect(first).toMatch(/^\[\S+\] ERROR: failed ?$/);
      expect(others.length).toBeGreaterThan(4);
      for (const line of others) expect(line).toMatch(SAFE);
      for (const line of others) expect(line).toMatch(/^ {4}/);
      expect(others.join('\n')).toContain(`Error: ${ESCAPED}`);
    });
  });
});
