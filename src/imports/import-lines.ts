import { setImmediate } from 'node:timers/promises';
import { inSteps } from '../turns/index.js';
import { readFields } from '../input/index.js';
import { CreatePostDto, toNewPost } from '../posts/dto/post.dto.js';
import type { NewPost } from '../posts/post.entity.js';
import { toPubDate } from '../posts/pub-date.js';
import { type InputFault, InvalidRequest, type Problem } from '../problem-details/index.js';
import { quote } from '../text/quotations.js';
import { withoutByteOrderMark } from '../text/byte-order-mark.js';
import { PIECE_LENGTH, type Steps } from '../text/steps.js';
import { FINGERPRINT } from './fingerprint.js';
import type { ImportFormat, LineFields } from './import-formats.js';
import { type Line, LINE_FEED, type LineRules, linesOf } from './lines.js';

/** The most faults that an import reports. */
export const MAX_FAULTS = 100;

/** A fault of a line, for programs. */
export type LineFault = InputFault & { readonly line: number };

/** A fault of a file, with what a person needs to find it in a spreadsheet. */
export type FileFault = LineFault & {
  readonly row: number;
  readonly title?: string | undefined;
  /** The value that breaks a rule. */
  readonly value?: string | undefined;
};

/** Where a post is in its file. */
export type Place = Pick<Line, 'number' | 'row'>;

/** A post of an import, with what its line says besides its content. */
export interface PostLine {
  readonly place: Place;
  readonly post: NewPost;
  /** Not validated: imports that only create posts ignore it. */
  readonly id: unknown;
  readonly hasDate: boolean;
  /** The `etag` of a line, not validated either. */
  readonly etag: unknown;
  /** See {@link fingerprintOf}; only of files that the site has exported. */
  readonly fingerprint: string | undefined;
}

/** How the lines of an import become posts. */
export interface ImportRules extends LineRules {
  /** Whether lines may have the fingerprint of an export. */
  readonly isFile: boolean;
  /** Whose import it is. */
  readonly client: string;
  /** Aborted when the import must end. */
  readonly signal?: AbortSignal | undefined;
}

/** How long an import may work before other requests run. */
const TURN_MS = 5;
let lastTurn: Promise<unknown> = Promise.resolve();

/**
 * Waits for a turn of a few milliseconds. All imports take turns, one per round of the event loop, so together they
 * block it no longer than one.
 *
 * @returns when the turn ends
 * @throws the signal's reason
 */
async function takeTurn({ signal }: ImportRules): Promise<number> {
  await (lastTurn = lastTurn.then(() => setImmediate()));
  // A chunk may have lines for some tenths of a second.
  signal?.throwIfAborted();
  return performance.now() + TURN_MS;
}

/**
 * Reads one post per line or record, and skips blank lines and a byte order mark. Ends after {@link MAX_FAULTS} faults,
 * or when the following lines cannot be read.
 *
 * @param faults receives the faults of the lines that are no posts
 * @throws BodyTooLarge when a line is too long
 * @throws TooBusy when the client may not hold a long line
 * @throws the signal's reason
 */
export async function* readPosts(
  body: AsyncIterable<Buffer>,
  format: ImportFormat,
  rules: ImportRules,
  faults: FileFault[],
): AsyncGenerator<PostLine> {
  const now = toPubDate();
  let turnEndsAt = 0;
  for await (const lines of linesOf(body, { ...rules, findEnd: format.findEnd })) {
    for (const place of lines) {
      const { number, bytes } = place;
      if (performance.now() >= turnEndsAt) turnEndsAt = await takeTurn(rules);
      const text = number === 1 ? withoutByteOrderMark(bytes) : bytes;
      let fields: LineFields | undefined;
      try {
        const read = inSteps(readFieldsOf(text, format), rules.client);
        // A promise a line takes longer than reading a short one.
        fields = read instanceof Promise ? await read : read;
        if (fields) yield toPostLine(fields, place, now, rules.isFile);
      } catch (error) {
        faults.push(...faultsOfLine(error, place, fields));
        if (faults.length >= MAX_FAULTS || !format.isReadable) return;
      }
    }
  }
}

/** Validates the fields by the same rules as a single post. @param now the date of a post without one @throws InvalidRequest */
function toPostLine(fields: LineFields, place: Place, now: string, isFile: boolean): PostLine {
  // A list can show both; an export with them can be sent back.
  const { modified: _modified, etag, ...sent } = fields;
  const { [FINGERPRINT]: sentFingerprint, ...content } = sent;
  const { input: post, faults } = readFields(CreatePostDto, isFile ? content : sent);
  if (faults.length > 0) throw new InvalidRequest(faults);
  const hasFingerprint = typeof sentFingerprint === 'string' && sentFingerprint !== '';
  return {
    place,
    post: toNewPost(post, now),
    id: post.id,
    hasDate: post.pub_date !== undefined,
    etag,
    fingerprint: hasFingerprint ? sentFingerprint : undefined,
  };
}

/** @returns undefined for a line without fields */
function* readFieldsOf(line: Buffer, format: ImportFormat): Steps<LineFields | undefined> {
  for (let start = 0; start < line.length; start += PIECE_LENGTH) {
    // A line of 16 MiB of blanks takes 0.2 s.
    if (start > 0) yield;
    if (!line.subarray(start, start + PIECE_LENGTH).every(isBlank)) return yield* format.read(line);
  }
  return undefined;
}

/** Whether it is JSON white space. */
function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === LINE_FEED || byte === 0x0d || byte === 0x09;
}

/** The faults of a refusal, with the place of their line, and its fields. @throws every other error */
export function faultsOfLine(
  error: unknown,
  { number: line, row }: Place,
  fields: LineFields = {},
): FileFault[] {
  if (!(error instanceof InvalidRequest)) throw error;
  return error.errors!.map(({ detail, code, ...rest }) => {
    const title = textOf(fields['title']);
    const value = 'pointer' in rest ? textOf(fields[rest.pointer.slice(1)]) : undefined;
    return { detail, code, line, ...rest, row, title, value };
  });
}

/** The first {@link MAX_FAULTS}, in the order of their lines. */
export function firstFaults(faults: readonly FileFault[]): FileFault[] {
  return faults.toSorted((a, b) => a.line - b.line).slice(0, MAX_FAULTS);
}

/** The faults of a line with a unique value that another post has. */
export function takenFaults(
  { message, errors }: Problem,
  { number: line, row }: Place,
  title: string,
): FileFault[] {
  const faults: readonly InputFault[] = errors ?? [{ detail: message, code: 'repeated', pointer: '' }];
  return faults.map((fault) => ({ ...fault, line, row, title }));
}

/** The text that shows a value to a person. */
function textOf(value: unknown): string | undefined {
  if (value === undefined || value === '') return undefined;
  return quote(typeof value === 'string' ? value : JSON.stringify(value));
}

/** A fault without what only a person needs. */
export function toLineFault({ row: _row, title: _title, value: _value, ...fault }: FileFault): LineFault {
  return fault;
}
