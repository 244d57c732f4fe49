import { isUtf8 } from 'node:buffer';
import { type FaultCode, InvalidRequest } from '../problem-details/index.js';
import { withoutByteOrderMark } from '../text/byte-order-mark.js';
import { decodeUtf8, PIECE_LENGTH, type Steps } from '../text/steps.js';

/** The top object is the first level. */
const MAX_JSON_DEPTH = 64;

/**
 * Measured: parsing 16 MiB of `{},{},…` keeps V8 busy for 4 seconds, 100,000 different keys for 1.2 seconds, and the
 * validation of 100,000 objects in a field for half a second. A bulk change names up to 20,000 posts.
 */
export const MAX_JSON_VALUES = 30_000;
export const MAX_JSON_KEYS = 10_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/**
 * Reads a JSON object (RFC 8259). Only the parser itself needs one long step for a long body. The last value of a repeated
 * key counts; `__proto__` is an ordinary key.
 *
 * Faults do not quote the body, because it may contain secrets that must not be logged.
 *
 * @param advice is added to the fault of a body that is an array
 * @param allowsArray whether the body may be an array, too
 * @throws InvalidRequest
 */
export function* decodeJsonBody(
  body: Buffer,
  advice = '',
  allowsArray = false,
): Steps<Record<string, unknown>> {
  const bytes = withoutByteOrderMark(body);
  if (bytes.length === 0) throw faulty('required', 'The body is empty; it must be a JSON object.');
  if (!isUtf8(bytes)) throw faulty('not_utf8', 'The body is not UTF-8.');
  const limits = new JsonLimits(allowsArray ? undefined : advice);
  let checked = limits.check(bytes, 0);
  while (checked < bytes.length) {
    yield;
    checked = limits.check(bytes, checked);
  }
  const text = yield* decodeUtf8(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw faulty('malformed_json', 'The body is not well-formed JSON.');
  }
  if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  throw faulty('not_an_object', 'The body must be a JSON object.');
}

/**
 * Refuses a body that is costly to parse, and an array where an object is required: with the same advice for an array of any
 * length. The counts are correct up to the first syntax error, where the parser stops as well.
 */
class JsonLimits {
  #depth = 0;
  #values = 1;
  #keys = 0;
  /** Whether the next byte is within a string. */
  #isInString = false;

  /** @param arrayAdvice undefined where the body may be an array */
  constructor(private readonly arrayAdvice: string | undefined) {}

  /**
   * Checks a piece of the body. A method, because the loop is slow in a generator.
   *
   * @param start where the piece begins
   * @returns where the next piece begins
   * @throws InvalidRequest
   */
  check(bytes: Buffer, start: number): number {
    const end = Math.min(start + PIECE_LENGTH, bytes.length);
    let isInString = this.#isInString;
    let at = start;
    // An index loop, because an iterator over megabytes takes seconds.
    for (; at < end; at += 1) {
      const byte = bytes[at]!;
      const isEscape = isInString && byte === BACKSLASH;
      if (isEscape) at += 1;
      else if (byte === QUOTE) isInString = !isInString;
      else if (!isInString) this.#count(byte);
    }
    this.#isInString = isInString;
    return at;
  }

  /** Counts a byte outside of strings. */
  #count(byte: number): void {
    if (byte === COMMA) {
      this.#values += 1;
    } else if (byte === COLON) {
      this.#keys += 1;
    } else if (byte === OPENING_BRACE || byte === OPENING_BRACKET) {
      if (this.#depth === 0 && byte === OPENING_BRACKET && this.arrayAdvice !== undefined)
        throw faulty('not_an_object', `The body must be a JSON object, not an array.${this.arrayAdvice}`);
      this.#depth += 1;
    } else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) {
      this.#depth -= 1;
    }
    if (this.#depth > MAX_JSON_DEPTH)
      throw faulty('too_deep', `The body nests deeper than ${MAX_JSON_DEPTH} levels.`, MAX_JSON_DEPTH);
    if (this.#values > MAX_JSON_VALUES)
      throw faulty('too_many', `The body holds more than ${MAX_JSON_VALUES} values.`, MAX_JSON_VALUES);
    if (this.#keys > MAX_JSON_KEYS)
      throw faulty('too_many', `The body holds more than ${MAX_JSON_KEYS} keys.`, MAX_JSON_KEYS);
  }
}

function faulty(code: FaultCode, detail: string, limit?: number): InvalidRequest {
  return new InvalidRequest([{ detail, code, limit, pointer: '' }]);
}
