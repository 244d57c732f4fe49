import { isUtf8 } from 'node:buffer';
import { type FaultCode, InvalidRequest } from '../problem-details/index.js';
import { withoutByteOrderMark } from '../http/protocol/index.js';

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
 * Reads a JSON object (RFC 8259). The last value of a repeated key counts; `__proto__` is an ordinary key.
 *
 * Faults do not quote the body, because it may contain secrets that must not be logged.
 *
 * @param advice is added to the fault of a body that is an array
 * @param isArrayTaken an array is as good as an object
 * @throws InvalidRequest
 */
export function decodeJsonBody(body: Buffer, advice = '', isArrayTaken = false): Record<string, unknown> {
  const bytes = withoutByteOrderMark(body);
  if (bytes.length === 0) throw faulty('required', 'The body is empty; it must be a JSON object.');
  if (!isUtf8(bytes)) throw faulty('not_utf8', 'The body is not UTF-8.');
  assertModestObject(bytes, advice, isArrayTaken);
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString());
  } catch {
    throw faulty('malformed_json', 'The body is not well-formed JSON.');
  }
  if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  throw faulty('not_an_object', 'The body must be a JSON object.');
}

/**
 * Refuses an array that is not taken, with the same advice however long it is, and a body that is costly to parse. The counts are correct
 * up to the first syntax error, where the parser stops as well.
 */
function assertModestObject(bytes: Buffer, advice: string, isArrayTaken: boolean): void {
  let depth = 0;
  let values = 1;
  let keys = 0;
  let isText = false;
  // An index loop, because an iterator over megabytes takes seconds.
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    if (isText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) {
      isText = true;
    } else if (byte === COMMA) {
      values += 1;
    } else if (byte === COLON) {
      keys += 1;
    } else if (byte === OPENING_BRACE || byte === OPENING_BRACKET) {
      if (depth === 0 && byte === OPENING_BRACKET && !isArrayTaken) {
        throw faulty('not_an_object', `The body must be a JSON object, not an array.${advice}`);
      }
      depth += 1;
    } else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) {
      depth -= 1;
    }
    if (depth > MAX_JSON_DEPTH) {
      throw faulty('too_deep', `The body nests deeper than ${MAX_JSON_DEPTH} levels.`, MAX_JSON_DEPTH);
    }
    if (values > MAX_JSON_VALUES) {
      throw faulty('too_many', `The body holds more than ${MAX_JSON_VALUES} values.`, MAX_JSON_VALUES);
    }
    if (keys > MAX_JSON_KEYS) {
      throw faulty('too_many', `The body holds more than ${MAX_JSON_KEYS} keys.`, MAX_JSON_KEYS);
    }
  }
}

function faulty(code: FaultCode, detail: string, limit?: number): InvalidRequest {
  return new InvalidRequest([{ detail, code, limit, pointer: '' }]);
}
