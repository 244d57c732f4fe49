import { isWithinPair } from '../text/code-points.js';
import { escapeJson } from '../text/escape-json.js';
import { PIECE_LENGTH, type Steps } from '../text/steps.js';
import { SharedTime } from './shared-time.js';

/** The time to read and write all long texts, in whatever format. The clients take turns. */
const LONG_TEXTS = new SharedTime(5);

/** Makes the parts of a text one by one, between which other requests run. @param client for whom */
export async function* inTurns(parts: Iterable<string>, client: string): AsyncGenerator<string> {
  const iterator = parts[Symbol.iterator]();
  for (;;) {
    const { done, value } = await LONG_TEXTS.run(() => iterator.next(), client);
    if (done) return;
    yield value;
  }
}

/** Does work on a text that takes a few milliseconds at most, between which other requests run. */
export function inTurn<Result>(work: () => Result, client: string): Promise<Result> {
  return LONG_TEXTS.run(work, client);
}

/**
 * Does work in steps, between which other requests run.
 *
 * @returns the result itself, when the first step was the only one
 * @throws what the work throws
 */
export function inSteps<Result>(work: Steps<Result>, client: string): Result | Promise<Result> {
  const { done, value } = work.next();
  return done ? value : otherSteps(work, client);
}

async function otherSteps<Result>(work: Steps<Result>, client: string): Promise<Result> {
  for (;;) {
    const { done, value } = await LONG_TEXTS.run(() => work.next(), client);
    if (done) return value;
  }
}

/**
 * Writes a long text in pieces, between which other requests run. Written at once, 16 MiB of quotes or control characters
 * would stop them for 0.3 s.
 *
 * @param write must treat each character by itself
 * @param client for whom
 */
export function inPieces(
  text: string,
  write: (piece: string) => string,
  client: string,
): AsyncGenerator<string> {
  return inTurns(writtenPieces(text, write), client);
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

  async *chunks(client: string): AsyncGenerator<string> {
    yield this.start;
    yield* inPieces(this.text, escapeJson, client);
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
