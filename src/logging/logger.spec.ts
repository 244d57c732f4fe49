import type { Settings } from '../settings/settings.js';
import { createLogger } from './logger.js';

/** A line feed, NEL, U+2028, an escape sequence, C1's CSI, a right-to-left override, and a forged line. */
const EVIL =
  'a\nb\r\nc\u0085d\u2028e\u2029f\u001B[2Jg\u009B2Jh\u202Ei\tj\u0000k\u007F\n[12:00:00.000] INFO: forged';
const EVIL_ESCAPED =
  'a\\u000ab\\u000d\\u000ac\\u0085d\\u2028e\\u2029f\\u001b[2Jg\\u009b2Jh\\u202ei\\u0009j\\u0000k\\u007f\\u000a[12:00:00.000] INFO: forged';

function makeLogger(settings: Partial<Pick<Settings, 'logLevel' | 'logFormat'>> = {}) {
  const written: string[] = [];
  const logger = createLogger(
    { logLevel: 'info', logFormat: 'json', ...settings },
    { write: (text) => written.push(text) },
  );
  return { logger, written, record: (): unknown => JSON.parse(written.join('')) };
}

describe('createLogger', () => {
  it('writes nothing below its level, and nothing at all when silent', () => {
    const { logger, written } = makeLogger({ logLevel: 'warn' });
    logger.info('a');
    logger.warn('b');
    expect(written).toHaveLength(1);

    const silent = makeLogger({ logLevel: 'silent' });
    silent.logger.fatal('a');
    expect(silent.written).toEqual([]);
  });

  describe('as json', () => {
    it('writes a line with level, time in ISO 8601, fields and message', () => {
      const { logger, written, record } = makeLogger();
      logger.info({ request_id: 'r1', status: 200 }, 'GET /posts/');
      expect(written.join('')).toMatch(/^\{.*\}\n$/);
      expect(record()).toEqual({
        level: 'info',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        request_id: 'r1',
        status: 200,
        msg: 'GET /posts/',
      });
    });

    it('preserves hostile text, escaped on a single line', () => {
      const { logger, written, record } = makeLogger();
      logger.info({ path: EVIL }, EVIL);
      expect(written.join('')).toMatch(/^[^\n\r]+\n$/);
      expect(record()).toMatchObject({ path: EVIL, msg: EVIL });
    });

    it('describes an error with its stack, causes and code, but without its other properties', () => {
      const { logger, record } = makeLogger();
      const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
      const cause = new Error('no address', { cause: refused });
      const error = Object.assign(new TypeError('no database', { cause }), {
        code: 7,
        parameters: ['a post'],
      });
      logger.error({ err: error }, 'failed');
      expect(record()).toMatchObject({
        level: 'error',
        msg: 'failed',
        err: {
          type: 'TypeError',
          message: 'no database',
          stack: expect.stringMatching(
            /^TypeError: no database\n +at [^]*\ncaused by: Error: no address\n +at [^]*\ncaused by: Error: refused\n +at /,
          ),
          code: 7,
        },
      });
      expect(record()).not.toHaveProperty('err.parameters');
    });

    it('logs a thrown value that is not an Error', () => {
      const { logger, record } = makeLogger();
      logger.error({ err: 'a text' }, 'failed');
      expect(record()).toMatchObject({ err: 'a text' });
    });
  });

  describe('as pretty', () => {
    it('writes a request as a single line', () => {
      const { logger, written } = makeLogger({ logFormat: 'pretty' });
      logger.info({ request_id: 'r1', status: 200 }, 'GET /posts/');
      expect(written.join('')).toMatch(
        /^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: GET \/posts\/ \{"request_id":"r1","status":200\}\n$/,
      );
    });

    it.each(['msg', 'path', 'name', 'caller', 'stack', 'type'])(
      'escapes hostile text in the field %j',
      (field) => {
        const { logger, written } = makeLogger({ logFormat: 'pretty' });
        logger.info(
          field === 'msg' ? {} : { [field]: EVIL, nested: [{ [field]: EVIL }] },
          field === 'msg' ? EVIL : 'm',
        );
        expect(written.join('')).toMatch(/^[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+\n$/u);
        expect(written.join('')).toContain(EVIL_ESCAPED);
      },
    );

    it.each(['err', 'error'])('indents the stack of %s, and escapes line breaks in its message', (field) => {
      const { logger, written } = makeLogger({ logFormat: 'pretty' });
      const error = new Error(EVIL);
      logger.error({ [field]: field === 'err' ? error : { message: EVIL, stack: error.stack } }, 'failed');
      const [first, ...others] = written.join('').trimEnd().split('\n');
      expect(first).toMatch(/^\[\S+\] ERROR: failed ?$/);
      expect(others.length).toBeGreaterThan(4);
      for (const line of others) {
        expect(line).toMatch(/^ {4}[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]*$/u);
      }
      expect(others.join('\n')).toContain(`Error: ${EVIL_ESCAPED}`);
    });
  });
});
