import { IsString, validateSync } from 'class-validator';
import type { Request } from 'express';
import { negotiate } from '../../src/http/protocol/accept.js';
import { parseMediaType } from '../../src/http/protocol/media-type.js';
import { parseEntityTags } from '../../src/http/protocol/entity-tags.js';
import { prefers } from '../../src/http/protocol/prefer.js';
import { readMultipartForm, readUrlencodedForm } from '../../src/http/bodies/forms.js';
import { readIdempotentRequest } from '../../src/http/bodies/idempotent-request.js';
import { CsvFormat } from '../../src/imports/import-formats.js';
import { decodeJsonBody } from '../../src/input/json-body.js';
import { atOnce } from '../../src/text/steps.js';
import { parseQuery, readTexts } from '../../src/http/bodies/field-texts.js';
import { IsListOf } from '../../src/input/validation.js';
import { DeletePostQuery } from '../../src/posts/post-id.js';
import { CreatePostDto } from '../../src/posts/dto/post.dto.js';
import { InvalidRequest } from '../../src/problem-details/problems.js';
import { parsePubDate } from '../../src/posts/pub-date.js';

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

const filled = (start: string, part: string) => (length: number) => start.padEnd(length, part);
const repeated = (part: string) => (count: number) => part.repeat(count);
const PART = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n';
const fraction = (end: string) => (count: number) => `2026-11-20T14:40:00.123456${'7'.repeat(count)}${end}`;
const numbered = (count: number, of: (n: number) => string, separator = ',') =>
  Array.from({ length: count }, (_, n) => of(n)).join(separator);

const refusedBy = (decode: (body: Buffer) => unknown) => (text: string) =>
  expect(async () => decode(Buffer.from(text))).rejects.toThrow();
const json = refusedBy((body) => atOnce(decodeJsonBody(body)));
const form = refusedBy((body) => {
  const { faults } = readTexts(atOnce(readUrlencodedForm(body)).texts, CreatePostDto, 'field');
  if (faults.length > 0) throw new InvalidRequest(faults);
});
const multipart = refusedBy((body) => readMultipartForm(body, 'multipart/form-data; boundary=b', ''));
const key = (field: string) => {
  const request = { headers: { 'idempotency-key': field }, headersDistinct: { 'idempotency-key': [field] } };
  expect(() => readIdempotentRequest(request as unknown as Request, undefined)).toThrow();
};
/** Lines that are a boundary but for their last character. */
const almostBoundaries = (boundary: string) => (body: string) =>
  readMultipartForm(Buffer.from(body), `multipart/form-data; boundary=${boundary}`, '').catch(
    () => undefined,
  );
const LONGEST_BOUNDARY = 'a'.repeat(70);
const HUGE_BOUNDARY = 'a'.repeat(7_000);
const query = (text: string) => {
  const { faults } = readTexts(parseQuery(text), DeletePostQuery, 'parameter');
  expect(faults).not.toEqual([]);
};
const prefer = (text: string) => expect(prefers(text, 'count', 'exact')).toBe(false);
const csvHeader = refusedBy((body) => atOnce(new CsvFormat().read(body)));
class ListDto {
  @IsListOf(IsString, 'The value must be a list of texts.')
  entries!: string[];
}
const list = (text: string) =>
  expect(validateSync(Object.assign(new ListDto(), { entries: text.split(',') }))).toEqual([]);
const accept = (field: string) => expect(negotiate(field, [{ mediaType: 'text/csv' }])).toBeDefined();

describe('a hostile text', () => {
  it.each<[string, number, (size: number) => string, (text: string) => unknown]>([
    ['JSON of brackets', 16 * MIB, filled('', '['), json],
    ['JSON of keys', 16 * MIB, filled('{', '"a":0,'), json],
    ['JSON of fields', 1_000_000, (n) => `{${numbered(n, (i) => `"${i}":0`)}`, json],
    ['JSON of white space', 16 * MIB, filled('', ' '), json],
    ['JSON of escaped quotes', 16 * MIB, filled('{"a":"', '\\"'), json],
    ['JSON of digits', 16 * MIB, filled('{"a":', '1'), json],
    ['a form of pairs', 1_000_000, repeated('a=%&'), form],
    ['a form of names', 1_000_000, (count) => numbered(count, (n) => `f${n}=%`, '&'), form],
    ['a form of percent signs', 16 * MIB, filled('a=', '%'), form],
    ['a form of plus signs', 16 * MIB, filled('a=%&b=', '+'), form],
    ['a form of escapes in a name', 5 * MIB, (count) => `${'%41'.repeat(256 + count)}=%`, form],
    ['multipart of parts', 500_000, repeated(PART), multipart],
    ['multipart of boundaries', 3 * MIB, repeated('--b\r\n'), multipart],
    ['multipart of parts without a header', 2_000_000, repeated('--b\r\n\r\n'), multipart],
    ['multipart of spaces behind a boundary', 16 * MIB, filled('--b', ' '), multipart],
    [
      'multipart of almost-boundaries',
      16 * MIB,
      filled('', `\r\n--${LONGEST_BOUNDARY.slice(1)}b`),
      almostBoundaries(LONGEST_BOUNDARY),
    ],
    [
      'multipart of almost-boundaries, long',
      16 * MIB,
      filled('', `\r\n--${HUGE_BOUNDARY.slice(1)}b`),
      almostBoundaries(HUGE_BOUNDARY),
    ],
    ['a query of one name', 1_000_000, repeated('id&'), query],
    ['a query of names', 300_000, (count) => numbered(count, (n) => `f${n}`, '&'), query],
    ['a CSV header of names', 5_000_000, (count) => numbered(count, (n) => `f${n}`), csvHeader],
    ['a CSV header of quoted names', 3_000_000, (count) => numbered(count, (n) => `"f${n}"`), csvHeader],
    ['a list of distinct entries', 300_000, (count) => numbered(count, String), list],
    ['If-Match of spaces', 1_000_000, (count) => `"a"${' '.repeat(count)}b`, parseEntityTags],
    ['If-Match of open tags', 1_000_000, repeated('"a,'), parseEntityTags],
    ['Content-Type of spaces', 1_000_000, (count) => `text/csv;${' '.repeat(count)}x`, parseMediaType],
    ['Content-Type of semicolons', 1_000_000, (count) => `text/csv${'; '.repeat(count)}=`, parseMediaType],
    ['Content-Type of backslashes', 1_000_000, filled('text/csv;x="', '\\'), parseMediaType],
    ['Accept', 1_000_000, (count) => `${','.repeat(count)}${'a/b,'.repeat(count / 4)}text/csv`, accept],
    ['Prefer', 1_000_000, (count) => `${'a="b";'.repeat(count)}x`, prefer],
    ['Prefer of names', 1_000_000, (count) => numbered(count, (n) => `f${n}="b"`), prefer],
    ['Prefer of spaces', 1_000_000, (count) => `a${' '.repeat(count)}b`, prefer],
    ['Prefer of open texts', 1_000_000, repeated('a="b,'), prefer],
    ['Idempotency-Key', 1_000_000, (count) => `${'a '.repeat(count)}"`, key],
    ['a date of decimals', 10_000_000, fraction('-01:00'), parsePubDate],
    ['no date, of decimals', 10_000_000, fraction('x'), parsePubDate],
  ])('is parsed in linear time: %s', async (...[, largest, make, work]) => {
    await expectLinearTime(largest, make, work);
  });
});
