import { isUtf8 } from 'node:buffer';
import { InvalidRequest } from '../problem-details/problems.js';
import { withoutByteOrderMark } from './body-bytes.js';

/** The top object is the first level. */
export const MAX_JSON_DEPTH = 64;

/** 64 MiB of `{},{},…` would keep V8 busy for 20 seconds and take 2.7 GB, measured. */
export const MAX_JSON_VALUES = 10_000;

/** Further than this, `indexOf` is faster than looking at each byte. */
const NEAR_BYTES = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/**
 * Reads a JSON object (RFC 8259). Of a doubled key the last counts; `__proto__` is a key like any other.
 *
 * No fault quotes the body, which may hold what must not stand in a log.
 *
 * @throws InvalidRequest
 */
export function decodeJsonBody(body: Buffer): Record<string, unknown> {
  const bytes = withoutByteOrderMark(body);
  if (bytes.length === 0) throw faulty('The body is empty; it must be a JSON object.');
  if (!isUtf8(bytes)) throw faulty('The body is not UTF-8.');
  assertModest(bytes);
  const value = parse(bytes.toString());
  if (!isObject(value)) throw faulty(`The body must be a JSON object, not ${kindOf(value)}.`);
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw faulty(`The body is not well-formed JSON${placeOf(String(error), text)}.`);
  }
}

/** V8 names the position in those of its messages that do not quote the text. */
function placeOf(message: string, text: string): string {
  const position = /^[^"]* JSON at position (\d+)/.exec(message)?.[1];
  if (position === undefined) return '';
  const end = Number(position);
  let line = 1;
  let lineStart = 0;
  for (let index = 0; index < end; index += 1) {
    if (text.charCodeAt(index) === 0x0a) {
      line += 1;
      lineStart = index + 1;
    }
  }
  return `: see line ${line}, column ${end - lineStart + 1}`;
}

/**
 * Refuses what would be costly to parse. It counts right as far as the text is well-formed, and the parser gets
 * no further.
 */
function assertModest(bytes: Buffer): void {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at]!) {
      case QUOTE:
        at = endOfString(bytes, at + 1);
        break;
      case OPENING_BRACE:
      case OPENING_BRACKET:
        depth += 1;
        if (depth > MAX_JSON_DEPTH) throw faulty(`The body nests deeper than ${MAX_JSON_DEPTH} levels.`);
        break;
      case CLOSING_BRACE:
      case CLOSING_BRACKET:
        depth -= 1;
        break;
      case COMMA:
        values += 1;
        if (values > MAX_JSON_VALUES) throw faulty(`The body holds more than ${MAX_JSON_VALUES} values.`);
        break;
    }
  }
}

/**
 * The index of the quote that closes the string; the number of bytes when there is none.
 *
 * It leaps from quote to quote, yet looks at the first bytes behind each leap one by one: a leap has a cost, and
 * a text full of `\"` would make millions.
 */
function endOfString(bytes: Buffer, start: number): number {
  let at = start;
  while (at < bytes.length) {
    const near = at + NEAR_BYTES;
    while (at < near) {
      const byte = bytes[at];
      if (byte === QUOTE) return at;
      at += byte === BACKSLASH ? 2 : 1;
    }
    const quote = bytes.indexOf(QUOTE, at);
    if (quote === -1) break;
    let escapeStart = quote;
    while (escapeStart > at && bytes[escapeStart - 1] === BACKSLASH) escapeStart -= 1;
    const isEscaped = (quote - escapeStart) % 2 === 1;
    if (!isEscaped) return quote;
    at = quote + 1;
  }
  return bytes.length;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

function faulty(detail: string): InvalidRequest {
  return new InvalidRequest([{ detail, pointer: '' }]);
}
