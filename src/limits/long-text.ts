import { SharedTime } from './shared-time.js';

/** Longer texts are written in pieces of this many UTF-16 units, each of which takes less than a millisecond. */
export const PIECE_LENGTH = 65_536;

/** The time for all long texts, in whatever format, for however many requests. */
const WRITING = new SharedTime(5);

/** Makes the parts of a text one by one, between which other requests run. */
export async function* inTurns(parts: Iterable<string>): AsyncGenerator<string> {
  const iterator = parts[Symbol.iterator]();
  for (;;) {
    const { done, value } = await WRITING.run(() => iterator.next());
    if (done) return;
    yield value;
  }
}

/** Does work on a text that takes a few milliseconds at most, between which other requests run. */
export function inTurn<Result>(work: () => Result): Promise<Result> {
  return WRITING.run(work);
}

/**
 * Writes a long text in pieces, between which other requests run. Written at once, 16 MiB of quotes or control characters
 * would stop them for 0.3 s.
 *
 * @param write must treat each character by itself
 */
export function inPieces(text: string, write: (piece: string) => string): AsyncGenerator<string> {
  return inTurns(writtenPieces(text, write));
}

function* writtenPieces(text: string, write: (piece: string) => string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const end = endOfPiece(text, start);
    yield write(text.slice(start, end));
    start = end;
  }
}

/** A piece never ends within a surrogate pair, whose halves JSON would escape. */
function endOfPiece(text: string, start: number): number {
  const end = start + PIECE_LENGTH;
  return isWithinPair(text, end) ? end - 1 : end;
}

/** Whether a place is between the two halves of a surrogate pair. */
export function isWithinPair(text: string, place: number): boolean {
  return place < text.length && (text.charCodeAt(place) & 0xfc_00) === 0xdc_00;
}

/** Escapes a part of a text as JSON, without the quotes around it. */
export function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** The end of an object whose last field is an empty text. */
const EMPTY_END = '"}';

/**
 * An object in JSON whose last field is a long text. It is the body of a response, and is written while it is sent; for
 * HEAD and 304, nothing is.
 */
export class LongTextJson {
  /** @param start the JSON before the long text, and the quote that opens it */
  private constructor(
    private readonly start: string,
    private readonly text: string,
  ) {}

  /** @returns undefined when the last field is no long text, so that the object may be written at once */
  static of(object: object): LongTextJson | undefined {
    const [name, text] = Object.entries(object).at(-1) ?? [];
    if (typeof text !== 'string' || text.length <= PIECE_LENGTH) return undefined;
    const start = JSON.stringify(Object.assign({}, object, { [name!]: '' })).slice(0, -EMPTY_END.length);
    return new LongTextJson(start, text);
  }

  /** The bytes that it holds until it is sent. */
  get heldBytes(): number {
    return Buffer.byteLength(this.text);
  }

  async *chunks(): AsyncGenerator<string> {
    yield this.start;
    yield* inPieces(this.text, escapeJson);
    yield EMPTY_END;
  }

  /** A short form to be stored: the text as it is, after a line feed, which the JSON before it does not have. */
  toStored(): string {
    return `${this.start}\n${this.text}`;
  }

  /** @returns undefined for a text that has no such form */
  static fromStored(stored: string): LongTextJson | undefined {
    const end = stored.indexOf('\n');
    if (end < 0) return undefined;
    return new LongTextJson(stored.slice(0, end), stored.slice(end + 1));
  }
}
