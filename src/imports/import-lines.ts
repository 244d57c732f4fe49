import { withoutByteOrderMark } from '../http/request/body-bytes.js';
import type { MemoryLease } from '../http/request/body-memory.js';
import { type Line, LineSplitter } from '../http/request/lines.js';
import type { InputFault } from '../problem-details/input-fault.js';
import { BodyTooLarge, InvalidRequest, TooManyBodies } from '../problem-details/problems.js';
import type { NewPost } from '../posts/posts.repository.js';
import { nowAsPubDate } from '../posts/pub-date.js';
import { faultsOfLine, readImportLine } from './import-line.js';
import { Turns } from './turns.js';

/** This many faults are reported. */
export const MAX_FAULTS = 100;

/** How many bytes of blank lines there may be beyond the bytes of all other lines: they cost work and bring nothing. */
const MAX_BLANK_BYTES = 1_048_576;

/** What a line of an import holds: a post, or faults. */
export type ImportLine =
  | { readonly post: NewPost }
  | { readonly post: undefined; readonly faults: readonly (InputFault & { readonly line: number })[] };

export interface ImportLimits {
  readonly maxLineBytes: number;
  /** Where the beginning of a long line takes its memory from. */
  readonly memory?: MemoryLease | undefined;
}

/** Shared by all imports: together they hold the event loop no longer than one of them. */
const turns = new Turns();

/**
 * Reads the posts of NDJSON, one a line, and skips blank lines. After the first hundred faults lines are no longer
 * checked: each of them is given as a line that has faults, without any.
 *
 * @throws BodyTooLarge when a line is
 * @throws InvalidRequest when there are more blank lines than anything else
 * @throws TooManyBodies when there is no memory for a long line
 */
export async function* readImportLines(
  body: AsyncIterable<Buffer>,
  { maxLineBytes, memory }: ImportLimits,
): AsyncGenerator<ImportLine> {
  const reader = new ImportLineReader();
  const splitter = new LineSplitter({
    maxLineBytes,
    tooLong: () => new BodyTooLarge(maxLineBytes),
    hold: memory && ((bytes) => holdLine(memory, bytes)),
  });
  for await (const chunk of body) {
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

function holdLine(memory: MemoryLease, bytes: number): void {
  if (bytes < 0) memory.giveBack(-bytes);
  else if (!memory.take(bytes)) throw new TooManyBodies();
}

class ImportLineReader {
  readonly #now = nowAsPubDate();
  #faults = 0;
  #blankBytes = 0;
  #otherBytes = 0;

  /** @returns undefined for a blank line */
  read(line: Line): ImportLine | Promise<ImportLine> | undefined {
    const { number, bytes } = line;
    if (isBlank(line)) {
      this.#blankBytes += bytes.length + 1;
      if (this.#blankBytes <= MAX_BLANK_BYTES + this.#otherBytes) return undefined;
      const fault = { detail: 'There are too many blank lines.', pointer: '' };
      throw new InvalidRequest(faultsOfLine(number, new InvalidRequest([fault])));
    }
    this.#otherBytes += bytes.length + 1;
    if (this.#faults >= MAX_FAULTS) return { post: undefined, faults: [] };
    const refuse = (error: unknown): ImportLine => this.#refuse(number, error);
    try {
      const post = readImportLine(bytes, this.#now);
      return 'then' in post ? post.then((sound) => ({ post: sound }), refuse) : { post };
    } catch (error) {
      return refuse(error);
    }
  }

  #refuse(line: number, error: unknown): ImportLine {
    if (!(error instanceof InvalidRequest)) throw error;
    const faults = faultsOfLine(line, error).slice(0, MAX_FAULTS - this.#faults);
    this.#faults += faults.length;
    return { post: undefined, faults };
  }
}

/** Nothing but what JSON takes for white space, and a byte order mark at the start. */
function isBlank({ number, bytes }: Line): boolean {
  const text = number === 1 ? withoutByteOrderMark(bytes) : bytes;
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at];
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return false;
  }
  return true;
}
