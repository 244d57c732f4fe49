import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { PasswordHasher } from '../../src/accounts/password-hasher.js';
import { negotiate } from '../../src/http/protocol/accept.js';
import { parseMediaType } from '../../src/http/protocol/media-type.js';
import { parseEntityTags } from '../../src/http/protocol/preconditions.js';
import { decodeMultipartBody, decodeUrlencodedBody } from '../../src/http/request/form-bodies.js';
import { rulesOf } from '../../src/http/request/input-rules.js';
import { decodeJsonBody } from '../../src/http/request/json-body.js';
import { ReplacePostDto } from '../../src/posts/dto/post.dto.js';
import { parsePubDate } from '../../src/posts/pub-date.js';
import { startService } from '../support/service.js';

/** Shorter times disappear in the noise of the garbage collector and the compiler. */
const MEASURABLE_MS = 25;

const MOST_TIMES = 11;

/** Repeats of a measurement that looks too slow. Code that is not linear is slow every time. */
const ROUNDS = 5;

/**
 * Expects that the time of some work grows linearly with its input. Four times the input may take 11 times as long;
 * quadratic work takes 16 times. (Linear work that exceeds the processor's caches and triggers garbage collection took
 * up to 8.4 times as long on a busy machine.) All sizes are measured in one run, so the speed of the machine does not
 * matter.
 *
 * The sizes start small, so that work that is not linear fails before it takes minutes.
 */
async function expectLinearTime<T>(
  largest: number,
  make: (size: number) => T,
  work: (input: T) => unknown,
): Promise<void> {
  let size = Math.ceil(largest / 4 ** 8);
  let input = make(size);
  let ms = await cpuMsOf(() => work(input));
  while (size < largest) {
    const nextSize = Math.min(4 * size, largest);
    const next = make(nextSize);
    let nextMs = await cpuMsOf(() => work(next));
    const most = () => MOST_TIMES * Math.max(ms, MEASURABLE_MS);
    for (let round = 1; round < ROUNDS && nextMs > most(); round++) {
      ms = Math.min(ms, await cpuMsOf(() => work(input)));
      nextMs = Math.min(nextMs, await cpuMsOf(() => work(next)));
    }
    expect(nextMs).toBeLessThanOrEqual(most());
    [size, input, ms] = [nextSize, next, nextMs];
  }
}

/** The CPU time that this process spends on some work. Unlike elapsed time, it excludes other processes. */
async function cpuMsOf(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

const MIB = 1_048_576;
const RULES = rulesOf(ReplacePostDto);

const service = await startService({ MAX_BODY_BYTES: '1000000' });

describe('a JSON body', () => {
  it.each([
    ['brackets', '', '['],
    ['objects', '[', '{},'],
    ['keys', '{', '"a":0,'],
    ['white space', '', ' '],
    ['escaped quotes', '{"a":"', '\\"'],
    ['digits', '{"a":', '1'],
  ])('of up to 16 MiB of %s is refused in linear time', async (_, start, part) => {
    const make = (bytes: number): Buffer => Buffer.from(start.padEnd(bytes, part));
    await expectLinearTime(16 * MIB, make, (body) => expect(() => decodeJsonBody(body)).toThrow());
  });

  it.each([
    ['arrays', (n: number) => `{"title": ${'['.repeat(n)}${']'.repeat(n)}, "body": "b"}`],
    ['fields', (n: number) => `{${Array.from({ length: n }, (_, i) => `"${i}":0`).join()}}`],
  ])('of a million %s is refused by the service in linear time', async (_, make) => {
    const headers = { 'Content-Type': 'application/json' };
    await expectLinearTime(1_000_000, make, (body) => service.request('POST', '/posts/', { headers, body }));
  });
});

describe('a form', () => {
  it.each([
    ['pairs', 1_000_000, (count: number) => 'a=%&'.repeat(count)],
    ['names', 1_000_000, (count: number) => Array.from({ length: count }, (_, n) => `f${n}=%`).join('&')],
    ['percent signs', 16 * MIB, (count: number) => 'a='.padEnd(count, '%')],
    ['plus signs', 16 * MIB, (count: number) => `a=%&b=${'+'.repeat(count)}`],
    ['escapes in a name', 5 * MIB, (count: number) => `${'%41'.repeat(256 + count)}=%`],
  ])('with a huge number of %s is refused in linear time', async (_, most, make) => {
    await expectLinearTime(
      most,
      (count) => Buffer.from(make(count)),
      (body) => expect(() => decodeUrlencodedBody(body, RULES)).toThrow(),
    );
  });

  const part = (content: string) => `--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n${content}\r\n`;

  it.each([
    ['parts', 500_000, (count: number) => part('').repeat(count)],
    ['boundaries', 3 * MIB, (count: number) => '--b\r\n'.repeat(count)],
    ['spaces behind a boundary', 16 * MIB, (count: number) => '--b'.padEnd(count, ' ')],
  ])('as multipart with a huge number of %s is refused in linear time', async (_, most, make) => {
    await expectLinearTime(
      most,
      (count) => Buffer.from(make(count)),
      (body) => expect(() => decodeMultipartBody(body, 'b', RULES)).toThrow(),
    );
  });
});

describe('a request header field', () => {
  it.each<[string, (count: number) => string, parse: (field: string) => unknown]>([
    ['If-Match with spaces', (count) => `"a"${' '.repeat(count)}b`, parseEntityTags],
    ['If-Match with open tags', (count) => '"a,'.repeat(count), parseEntityTags],
    ['Content-Type with spaces', (count) => `text/csv;${' '.repeat(count)}x`, parseMediaType],
    ['Content-Type with semicolons', (count) => `text/csv${'; '.repeat(count)}=`, parseMediaType],
    ['Content-Type with backslashes', (count) => `text/csv;x="${'\\'.repeat(count)}`, parseMediaType],
  ])('is parsed in linear time: %s', async (...[, make, parse]) => {
    await expectLinearTime(1_000_000, make, parse);
  });

  it('is negotiated in linear time: Accept', async () => {
    const csv = { mediaType: 'text/csv' };
    await expectLinearTime(
      1_000_000,
      (count) => `${','.repeat(count)}${'a/b,'.repeat(count / 4)}text/csv`,
      (field) => expect(negotiate(field, [{ mediaType: 'application/json' }, csv])).toBe(csv),
    );
  });

  it.each([
    ['Accept', '', 'a/b;', 'x'],
    ['Accept', '"', '\\"', ''],
    ['If-None-Match', '', '"a",', 'x'],
    ['Prefer', '', 'a="b";', 'x'],
    ['Idempotency-Key', ' '.repeat(10), 'a ', '"'],
    ['traceparent', `cc-${'a'.repeat(32)}-${'b'.repeat(16)}-01-`, '-', ''],
  ])('is processed in linear time: %s', async (name, start, part, end) => {
    // About as much as a header section of 32 KiB can hold.
    await expectLinearTime(
      32_000,
      (length) => start.padEnd(length, part) + end,
      (value) => service.get('/posts/', { [name]: value }),
    );
  });
});

describe('pub_date', () => {
  it('with ten million decimals is cut in linear time', async () => {
    await expectLinearTime(
      10_000_000,
      (count) => `2026-11-20T14:40:00.123456${'7'.repeat(count)}`,
      (text) => {
        expect(parsePubDate(`${text}-01:00`)).toBe('2026-11-20T15:40:00.123456Z');
        expect(parsePubDate(`${text}x`)).toBeUndefined();
      },
    );
  });
});

describe('a decompression bomb', () => {
  const megabytes = Buffer.alloc(50_000_000, 'x');
  it.each<[string, Buffer, (body: Buffer) => Buffer]>([
    ['gzip', gzipSync(megabytes), (body) => gunzipSync(body)],
    ['br', brotliCompressSync(megabytes), (body) => brotliDecompressSync(body)],
  ])('of %s is refused as soon as it passes the limit', async (coding, body, inflate) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': coding };
    const times = Array.from({ length: 5 });
    const refuse = async () => {
      for (const _ of times) {
        expect((await service.request('POST', '/posts/', { headers, body })).status).toBe(413);
      }
    };
    // Take the minimum: the garbage of the previous bomb may be collected in one of the rounds. Inflating a whole bomb
    // would be slow in every round.
    const refusing = Math.min(await cpuMsOf(refuse), await cpuMsOf(refuse), await cpuMsOf(refuse));
    const inflating = await cpuMsOf(() => times.forEach(() => inflate(body)));
    // The limit is reached after a fiftieth of the inflated body.
    expect(refusing).toBeLessThan(inflating / 4);
  });
});

describe('a wrong password', () => {
  it('takes a similar time with and without an account', async () => {
    const hasher = new PasswordHasher({ passwordHashMemory: 64 * MIB });
    const stored = await hasher.hash('correct horse');
    const known = await cpuMsOf(() => hasher.verify('wrong', stored));
    const unknown = await cpuMsOf(() => hasher.verify('wrong', undefined));
    expect(unknown).toBeGreaterThan(known / 3);
    expect(unknown).toBeLessThan(known * 3);
  });
});
