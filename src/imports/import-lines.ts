import { withoutByteOrderMark } from '../http/request/byte-collector.js';
import type { BodyShare } from '../http/request/body-shares.js';
import { type Line, LineSplitter } from './lines.js';
import { nowAsPubDate } from '../posts/pub-date.js';
import type { InputFault } from '../problem-details/problem.js';
import { BodyTooLarge, InvalidRequest } from '../problem-details/problems.js';
import {
  faultsOfLine,
  type ImportFormat,
  MAX_FAULTS,
  ndjsonFormat,
  type ReadPost,
} from './import-formats.js';

/**
 * How many bytes of blank lines are allowed beyond the bytes of all other lines. They cost work without storing
 * anything.
 */
const MAX_BLANK_BYTES = 1_048_576;

const BYTE_ORDER_MARK_BYTES = 3;

/** A line or record of an import: a post, or faults. */
export type ImportLine =
  | (ReadPost & { readonly line: number })
  | { readonly post: undefined; readonly faults: readonly (InputFault & { readonly line: number })[] };

export interface ImportLimits {
  readonly maxLineBytes: number;
  /** By default NDJSON. */
  readonly format?: ImportFormat | undefined;
  /** Holds the start of a long line. */
  readonly memory?: BodyShare | undefined;
  /** After this many faults, lines are no longer checked; by default {@link MAX_FAULTS}. */
  readonly maxFaults?: number;
}

/** The maximum duration of a slice of work; other requests wait for it. */
const SLICE_MS = 5;

/**
 * Schedules CPU-heavy work of several requests: one request gets a turn of a few milliseconds per round of the event
 * loop, regardless of their number.
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #endsAt = 0;

  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) setImmediate(this.#grant);
    });
  }

  get isOver(): boolean {
    return performance.now() >= this.#endsAt;
  }

  readonly #grant = (): void => {
    this.#endsAt = performance.now() + SLICE_MS;
    this.#waiting.shift()!();
    // An immediate that an immediate schedules runs in the next round of the loop.
    if (this.#waiting.length > 0) setImmediate(this.#grant);
  };
}

/** All imports share it, so together they block the event loop no longer than one import. */
const turns = new Turns();

/**
 * Reads one post per line or record, and skips blank lines and a byte order mark. After the last reported fault, lines
 * are no longer checked: each of them is returned without a post and with an empty list of faults.
 *
 * @throws BodyTooLarge when a line is too long
 * @throws InvalidRequest when there are too many blank lines, or the CSV header is invalid
 * @throws TooManyBodies when the client may not hold a long line
 */
export async function* readImportLines(
  body: AsyncIterable<Buffer>,
  { maxLineBytes, format = ndjsonFormat, memory, maxFaults = MAX_FAULTS }: ImportLimits,
): AsyncGenerator<ImportLine> {
  const reader = new ImportLineReader(format, maxFaults);
  const limits = {
    maxLineBytes,
    tooLong: () => new BodyTooLarge(maxLineBytes),
    hold: memory && ((bytes: number) => memory.hold(bytes)),
  };
  const splitter = new LineSplitter(limits, format.lineEnds);
  for await (const chunk of afterByteOrderMark(body)) {
    await turns.next();
    for (const line of splitter.linesIn(chunk)) {
      const read = reader.read(line);
      if (read) yield read;
      if (turns.isOver) await turns.next();
    }
  }
  for (const line of splitter.rest()) {
    const read = reader.read(line);
    if (read) yield read;
  }
}

async function* afterByteOrderMark(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let start: Buffer | undefined = Buffer.of();
  for await (const chunk of chunks) {
    if (start) {
      start = Buffer.concat([start, chunk]);
      if (start.length < BYTE_ORDER_MARK_BYTES) continue;
      yield withoutByteOrderMark(start);
      start = undefined;
    } else {
      yield chunk;
    }
  }
  if (start) yield start;
}

class ImportLineReader {
  constructor(
    private readonly format: ImportFormat,
    private readonly maxFaults: number,
  ) {}

  readonly #now = nowAsPubDate();
  #faults = 0;
  #blankBytes = 0;
  #otherBytes = 0;

  /** @returns undefined for a blank line or the header */
  read(line: Line): ImportLine | undefined {
    const { number, bytes } = line;
    if (isBlank(bytes)) {
      this.#blankBytes += bytes.length + 1;
      if (this.#blankBytes <= MAX_BLANK_BYTES + this.#otherBytes) return undefined;
      const fault = { detail: 'There are too many blank lines.', code: 'too_many', pointer: '' } as const;
      throw new InvalidRequest(faultsOfLine(number, new InvalidRequest([fault])));
    }
    this.#otherBytes += bytes.length + 1;
    if (this.format.readHeader?.(line)) return undefined;
    if (this.#faults >= this.maxFaults) return { post: undefined, faults: [] };
    try {
      return { ...this.format.readPost(line, this.#now), line: number };
    } catch (error) {
      return this.#refuse(number, error);
    }
  }

  #refuse(line: number, error: unknown): ImportLine {
    if (!(error instanceof InvalidRequest)) throw error;
    const faults = faultsOfLine(line, error).slice(0, this.maxFaults - this.#faults);
    this.#faults += faults.length;
    return { post: undefined, faults };
  }
}

/** Whether the line has only JSON white space. */
function isBlank(bytes: Buffer): boolean {
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return false;
  }
  return true;
}
