import { isUtf8 } from 'node:buffer';
import type { FaultCode } from '../../problem-details/problem.js';
import { InvalidRequest } from '../../problem-details/problems.js';
import { withoutByteOrderMark } from './body-bytes.js';
import { LINE_FEED } from './lines.js';

/** The top object is the first level. */
export const MAX_JSON_DEPTH = 64;

/** Measured: 64 MiB of `{},{},…` keep V8 busy for 20 seconds and take 2.7 GB. */
export const MAX_JSON_VALUES = 10_000;

/** Beyond this distance, `indexOf` is faster than checking each byte. */
const NEAR_BYTES = 64;

const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/**
 * Reads a JSON object (RFC 8259). The last value of a repeated key counts; `__proto__` is an ordinary key.
 *
 * Faults do not quote the body, because it may contain secrets that must not be logged.
 *
 * @throws InvalidRequest
 */
export function decodeJsonBody(body: Buffer): Record<string, unknown> {
  const bytes = textBytes(body);
  new JsonScan(bytes).runTo(bytes.length);
  return asObject(parse(bytes.toString()));
}

/** The bytes of the text without its byte order mark. @throws InvalidRequest when they are empty or not UTF-8 */
export function textBytes(body: Buffer): Buffer {
  const bytes = withoutByteOrderMark(body);
  if (bytes.length === 0) throw faulty('required', 'The body is empty; it must be a JSON object.');
  if (!isUtf8(bytes)) throw faulty('not_utf8', 'The body is not UTF-8.');
  return bytes;
}

/** @throws InvalidRequest */
export function asObject(value: unknown): Record<string, unknown> {
  if (!isObject(value))
    throw faulty('not_an_object', `The body must be a JSON object, not ${kindOf(value)}.`);
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const position = positionOf(error);
    if (position === undefined) throw malformed();
    const place = new Place();
    place.pass(Buffer.from(text.slice(0, position)));
    throw malformed(place);
  }
}

/** V8 gives the position, in UTF-16 units, only in messages that do not quote the text. */
export function positionOf(error: unknown): number | undefined {
  const position = /^[^"]* JSON at position (\d+)/.exec(String(error))?.[1];
  return position === undefined ? undefined : Number(position);
}

/** The line and column of a byte in a UTF-8 text, computed from the bytes before it. */
export class Place {
  line = 1;
  /** In UTF-16 units. */
  column = 1;

  pass(bytes: Buffer): void {
    // An index loop, because an iterator over 64 MiB takes seconds.
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at]!;
      if (byte === LINE_FEED) {
        this.line += 1;
        this.column = 1;
      } else if ((byte & 0xc0) !== 0x80) {
        this.column += byte >= 0xf0 ? 2 : 1;
      }
    }
  }
}

export function malformed(place?: Place): InvalidRequest {
  const where = place ? `: see line ${place.line}, column ${place.column}` : '';
  return faulty('malformed_json', `The body is not well-formed JSON${where}.`);
}

/** Notified of the tokens that a {@link JsonScan} passes. */
export interface JsonScanListener {
  /** @param start the index of the opening quote @param end the index after the closing quote */
  onString(start: number, end: number, isKey: boolean): void;
  /** White space between two tokens, or a part of it. */
  onWhiteSpace(start: number, end: number): void;
}

/**
 * Scans the bytes of a JSON text and rejects a body that would be costly to parse. Its counts are correct up to the
 * first syntax error, where the parser stops as well.
 */
export class JsonScan {
  at = 0;
  readonly #open: number[] = [];
  #values = 1;
  /** The last byte that opened an array or object, or separated two items. */
  #separator = 0;
  /** The start of a string whose end is not found yet. */
  #stringStart: number | undefined;

  constructor(
    private readonly bytes: Buffer,
    private readonly listener?: JsonScanListener,
  ) {}

  get isInString(): boolean {
    return this.#stringStart !== undefined;
  }

  /** Scans up to the index, or one byte further. @throws InvalidRequest */
  runTo(end: number): void {
    const window = end < this.bytes.length ? this.bytes.subarray(0, end) : this.bytes;
    while (this.at < window.length) {
      if (this.#stringStart === undefined) this.#step(window);
      else this.#endString(window);
    }
  }

  #step(window: Buffer): void {
    const byte = window[this.at]!;
    switch (byte) {
      case QUOTE:
        this.#stringStart = this.at;
        break;
      case OPENING_BRACE:
      case OPENING_BRACKET:
        this.#separator = byte;
        this.#open.push(byte);
        if (this.#open.length > MAX_JSON_DEPTH) {
          throw faulty('too_deep', `The body nests deeper than ${MAX_JSON_DEPTH} levels.`, MAX_JSON_DEPTH);
        }
        break;
      case CLOSING_BRACE:
      case CLOSING_BRACKET:
        this.#open.pop();
        break;
      case COLON:
        this.#separator = byte;
        break;
      case COMMA:
        this.#separator = byte;
        this.#values += 1;
        if (this.#values > MAX_JSON_VALUES) {
          throw faulty('too_many', `The body holds more than ${MAX_JSON_VALUES} values.`, MAX_JSON_VALUES);
        }
        break;
      default:
        if (this.listener && isWhiteSpace(byte)) {
          const start = this.at;
          while (isWhiteSpace(window[this.at + 1])) this.at += 1;
          this.listener.onWhiteSpace(start, this.at + 1);
        }
    }
    this.at += 1;
  }

  #endString(window: Buffer): void {
    const quote = endOfString(window, this.at);
    if (window[quote] !== QUOTE) {
      this.at = quote;
      return;
    }
    this.at = quote + 1;
    const isKey = this.#open.at(-1) === OPENING_BRACE && this.#separator !== COLON;
    this.listener?.onString(this.#stringStart!, this.at, isKey);
    this.#stringStart = undefined;
  }
}

/**
 * The index of the closing quote, or the index to continue at when there is none.
 *
 * The search jumps from quote to quote, but checks the first bytes after each jump one by one: a jump has a cost, and a
 * text full of `\"` would need millions.
 */
function endOfString(bytes: Buffer, start: number): number {
  let at = start;
  while (at < bytes.length) {
    const near = Math.min(at + NEAR_BYTES, bytes.length);
    while (at < near) {
      const byte = bytes[at];
      if (byte === QUOTE) return at;
      at += byte === BACKSLASH ? 2 : 1;
    }
    const found = bytes.indexOf(QUOTE, at);
    const quote = found === -1 ? Math.max(at, bytes.length) : found;
    let escapeStart = quote;
    while (escapeStart > at && bytes[escapeStart - 1] === BACKSLASH) escapeStart -= 1;
    const isEscaped = (quote - escapeStart) % 2 === 1;
    if (!isEscaped) return quote;
    at = quote + 1;
  }
  return at;
}

function isWhiteSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

export function faulty(code: FaultCode, detail: string, limit?: number): InvalidRequest {
  return new InvalidRequest([{ detail, code, limit, pointer: '' }]);
}
