import type { InvalidRequest } from '../problem-details/problems.js';
import { malformed } from './csv-records.js';

export type FileEncoding = 'UTF-8' | 'UTF-16' | 'UTF-16BE' | 'Windows-1252';

/**
 * Recognizes the encoding of a file by its beginning. A byte order mark decides, and UTF-16 shows itself; the bytes
 * beyond ASCII decide between UTF-8 and Windows-1252.
 *
 * @throws InvalidRequest for another encoding
 */
export function encodingOf(start: Buffer): FileEncoding {
  const mark = start.toString('hex', 0, 3);
  if (mark === 'efbbbf') return 'UTF-8';
  const [first, second] = start;
  // An ASCII character of UTF-16 has a byte that is zero.
  if (second === 0 || mark.startsWith('fffe')) return 'UTF-16';
  if (first === 0 || mark.startsWith('feff')) return 'UTF-16BE';
  // NDJSON is UTF-8 (RFC 8259 §8.1).
  const isJson = /^\s*\{/.test(start.toString('latin1', 0, 1_024));
  if (isJson || isMostlyUtf8(start)) return 'UTF-8';
  if (isWestern(start.toString('latin1'))) return 'Windows-1252';
  throw unknownEncoding();
}

/** 400 */
export function unknownEncoding(): InvalidRequest {
  return malformed(
    'The encoding of the file is not known: it is neither UTF-8 nor Windows-1252 (Western European). ' +
      'Save it as “CSV UTF-8”, and choose that file.',
  );
}

/** Whether bytes that are not UTF-8 are faults in a file that is. They are reported with their line. */
function isMostlyUtf8(bytes: Buffer): boolean {
  try {
    // `stream` allows the beginning to end within a character.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    const text = bytes.toString();
    const faults = text.split('\ufffd').length - 1;
    const characters = (text.match(/[^\0-\x7f\ufffd]/gu) ?? []).length;
    // A character that is cut off has several bytes, but is one fault. Single bytes are another encoding's.
    const ascii = text.length - text.replaceAll(/[\0-\x7f]+/g, '').length;
    const cutBytes = bytes.length - ascii - Buffer.byteLength(text.replaceAll(/[\0-\x7f\ufffd]+/g, ''));
    return characters + cutBytes - faults >= faults;
  }
}

/**
 * Whether a text of single bytes can be Windows-1252. It has no characters at five places, and in the languages that it
 * is for, few letters beyond ASCII follow each other; in Cyrillic, Greek or Japanese texts most do.
 */
function isWestern(text: string): boolean {
  if (NOT_IN_WINDOWS_1252.test(text)) return false;
  // French has no-break spaces within its quotation marks.
  const letters = text.replaceAll(/\xab\xa0|\xa0\xbb/g, '');
  const inRuns = (letters.match(/[\x80-\xff]{3,}/g) ?? []).join('').length;
  return 2 * inRuns <= letters.replaceAll(/[\0-\x7f]+/g, '').length;
}

const NOT_IN_WINDOWS_1252 = /[\x81\x8d\x8f\x90\x9d]/;
const LONE_SURROGATE = /\p{Surrogate}/u;
/** A byte that UTF-8 does not have. */
const INVALID = Buffer.of(0xff);

/**
 * Returns a function that converts chunk after chunk to UTF-8, and ends without a chunk. What the encoding does not
 * have becomes a byte that UTF-8 does not have, so that its line is reported.
 */
export function toUtf8(encoding: FileEncoding): (chunk?: Buffer) => Buffer {
  if (encoding === 'UTF-8') return (chunk = Buffer.alloc(0)) => chunk;
  if (encoding === 'Windows-1252') {
    const decoder = new TextDecoder('windows-1252');
    return (chunk) => encode(decoder.decode(chunk), NOT_IN_WINDOWS_1252);
  }
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    const bytes = Buffer.concat(chunk ? [rest, chunk] : [rest]);
    // The first half of a surrogate pair waits for the second one.
    let end = bytes.length - (bytes.length % 2);
    const highByte = bytes[encoding === 'UTF-16' ? end - 1 : end - 2];
    if (chunk && highByte !== undefined && highByte >= 0xd8 && highByte <= 0xdb) end -= 2;
    rest = bytes.subarray(end);
    const units = bytes.subarray(0, end);
    const text = (encoding === 'UTF-16' ? units : units.swap16()).toString('utf16le');
    const isCut = chunk === undefined && rest.length > 0;
    return Buffer.concat([encode(text, LONE_SURROGATE), isCut ? INVALID : Buffer.alloc(0)]);
  };
}

/** Marks the first character that is invalid. One in a chunk is enough: nothing of the file is imported. */
function encode(text: string, invalid: RegExp): Buffer {
  const at = text.search(invalid);
  if (at < 0) return Buffer.from(text);
  return Buffer.concat([Buffer.from(text.slice(0, at)), INVALID, Buffer.from(text.slice(at + 1))]);
}
