import { setImmediate } from 'node:timers/promises';
import { withoutByteOrderMark } from '../http/request/byte-collector.js';
import { nowAsPubDate } from '../posts/pub-date.js';
import type { InputFault } from '../problem-details/problem.js';
import { InvalidRequest } from '../problem-details/problems.js';
import type { ImportFormat, ReadPost } from './import-formats.js';
import { LINE_FEED, type LineRules, linesOf } from './lines.js';

/** The most faults that an import reports. */
export const MAX_FAULTS = 100;

/**
 * How many bytes of blank lines are allowed beyond the bytes of all other lines. They cost work without storing
 * anything.
 */
const MAX_BLANK_BYTES = 1_048_576;

export type LineFault = InputFault & { readonly line: number };

/** A line or record of an import that is a post. */
export type PostLine = ReadPost & { readonly line: number };

/** How long an import may work before other requests run. */
const TURN_MS = 5;
let lastTurn: Promise<unknown> = Promise.resolve();

/**
 * Waits for a turn of a few milliseconds. All imports take turns, one per round of the event loop, so together they
 * block it no longer than one.
 *
 * @returns when the turn ends
 */
export async function takeTurn(): Promise<number> {
  await (lastTurn = lastTurn.then(() => setImmediate()));
  return performance.now() + TURN_MS;
}

/**
 * Reads one post per line or record, and skips blank lines and a byte order mark. Ends after {@link MAX_FAULTS} faults,
 * or when the following lines cannot be read.
 *
 * @param faults receives the faults of the lines that are no posts
 * @throws BodyTooLarge when a line is too long
 * @throws TooManyBodies when the client may not hold a long line
 */
export async function* readPosts(
  body: AsyncIterable<Buffer>,
  format: ImportFormat,
  limits: LineRules,
  faults: LineFault[],
): AsyncGenerator<PostLine> {
  const now = nowAsPubDate();
  let turnEndsAt = 0;
  /** The bytes of blank lines, less those of all other lines. */
  let excess = 0;
  for await (const lines of linesOf(body, { ...limits, findEnd: format.findEnd })) {
    for (const { number: line, bytes } of lines) {
      if (performance.now() >= turnEndsAt) turnEndsAt = await takeTurn();
      const text = line === 1 ? withoutByteOrderMark(bytes) : bytes;
      if (text.every(isBlank)) {
        excess += bytes.length + 1;
        if (excess <= MAX_BLANK_BYTES) continue;
        faults.push({ detail: 'There are too many blank lines.', code: 'too_many', line, pointer: '' });
        return;
      }
      excess -= bytes.length + 1;
      try {
        const post = format.read(text, now);
        if (post) yield Object.assign(post, { line });
      } catch (error) {
        faults.push(...faultsOf(error, line));
        if (faults.length >= MAX_FAULTS || !format.isReadable) return;
      }
    }
  }
}

/** Whether it is JSON white space. */
function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === LINE_FEED || byte === 0x0d || byte === 0x09;
}

/** The faults of a refusal, with the number of their line. @throws every other error */
export function faultsOf(error: unknown, line: number): LineFault[] {
  if (!(error instanceof InvalidRequest)) throw error;
  return (error.errors ?? []).map(({ detail, code, ...rest }) => ({ detail, code, line, ...rest }));
}
