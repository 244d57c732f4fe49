import { withoutByteOrderMark } from '../http/request/body-bytes.js';
import type { MemoryLease } from '../http/request/body-memory.js';
import { type Line, LineSplitter } from '../http/request/lines.js';
import { CSV_TYPE } from '../http/protocol/media-type.js';
import type { InputFault } from '../problem-details/input-fault.js';
import { BodyTooLarge, InvalidRequest, TooManyBodies } from '../problem-details/problems.js';
import type { NewPost } from '../posts/post.entity.js';
import { nowAsPubDate } from '../posts/pub-date.js';
import { CsvFormat, faultsOfLine, type ImportFormat, ndjsonFormat } from './import-formats.js';

/** This many faults are reported. */
export const MAX_FAULTS = 100;

/** How many bytes of blank lines there may be beyond the bytes of all other lines: they cost work and bring nothing. */
const MAX_BLANK_BYTES = 1_048_576;

const BYTE_ORDER_MARK_BYTES = 3;

/** What a line or record of an import holds: a post, or faults. */
export type ImportLine =
  | { readonly post: NewPost }
  | { readonly post: undefined; readonly faults: readonly (InputFault & { readonly line: number })[] };

export interface ImportLimits {
  readonly maxLineBytes: number;
  /** NDJSON, which it is by default, or CSV. */
  readonly mediaType?: string | undefined;
  /** Where the beginning of a long line takes its memory from. */
  readonly memory?: MemoryLease | undefined;
  /** After so many faults lines are no longer checked; by default after {@link MAX_FAULTS}. */
  readonly maxFaults?: number;
}

/** What a slice of work may take: others wait for it. */
const SLICE_MS = 5;

/**
 * Lets work of several requests that would hold the event loop take turns: one of them in each round of the loop, for a
 * few milliseconds, however many there are.
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #endsAt = 0;

  /** Waits for a turn. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) setImmediate(this.#grant);
    });
  }

  /** Whether the turn at hand has taken its time. */
  get isOver(): boolean {
    return performance.now() >= this.#endsAt;
  }

  readonly #grant = (): void => {
    this.#endsAt = performance.now() + SLICE_MS;
    this.#waiting.shift()!();
    // An immediate that is set by an immediate runs in the next round.
    if (this.#waiting.length > 0) setImmediate(this.#grant);
  };
}

/** Shared by all imports: together they hold the event loop no longer than one of them. */
const turns = new Turns();

/**
 * Reads posts, one a line or record, and skips blank lines and a byte order mark. After the last fault that is reported lines are no longer
 * checked: each of them is given as a line that has faults, without any.
 *
 * @throws BodyTooLarge when a line is
 * @throws InvalidRequest when there are more blank lines than anything else, or the header of CSV is faulty
 * @throws TooManyBodies when there is no memory for a long line
 */
export async function* readImportLines(
  body: AsyncIterable<Buffer>,
  { maxLineBytes, mediaType, memory, maxFaults = MAX_FAULTS }: ImportLimits,
): AsyncGenerator<ImportLine> {
  const format = mediaType === CSV_TYPE ? new CsvFormat() : ndjsonFormat;
  const reader = new ImportLineReader(format, maxFaults);
  const limits = {
    maxLineBytes,
    tooLong: () => new BodyTooLarge(maxLineBytes),
    hold: memory && ((bytes: number) => holdLine(memory, bytes)),
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

function holdLine(memory: MemoryLease, bytes: number): void {
  if (bytes < 0) memory.giveBack(-bytes);
  else if (!memory.take(bytes)) throw new TooManyBodies();
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

  /** @returns undefined for a line that holds no post */
  read(line: Line): ImportLine | Promise<ImportLine> | undefined {
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
    const refuse = (error: unknown): ImportLine => this.#refuse(number, error);
    try {
      const post = this.format.readPost(line, this.#now);
      return 'then' in post ? post.then((sound) => ({ post: sound }), refuse) : { post };
    } catch (error) {
      return refuse(error);
    }
  }

  #refuse(line: number, error: unknown): ImportLine {
    if (!(error instanceof InvalidRequest)) throw error;
    const faults = faultsOfLine(line, error).slice(0, this.maxFaults - this.#faults);
    this.#faults += faults.length;
    return { post: undefined, faults };
  }
}

/** Nothing but what JSON takes for white space. */
function isBlank(bytes: Buffer): boolean {
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return false;
  }
  return true;
}
