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
  const text = start.toString('latin1');
  if (/^\s*\{/.test(text) || isMostlyUtf8(text)) return 'UTF-8';
  if (isWestern(text)) return 'Windows-1252';
  throw malformed(
    'The encoding of the file is not known: it is neither UTF-8 nor Windows-1252 (Western European). ' +
      'Save it as “CSV UTF-8”, and choose that file.',
  );
}

/**
 * Whether bytes that are not UTF-8 are faults in a file that is. They are reported with their line. The bytes of other
 * encodings rarely follow each other as those of a character do, whole or cut off.
 */
function isMostlyUtf8(text: string): boolean {
  const characters = /[\xc2-\xf4](?:[\x80-\xbf]{1,3}|$)/g;
  const others = text.replaceAll(characters, '').replaceAll(/[\0-\x7f]+/g, '');
  return (text.match(characters) ?? []).length >= others.length;
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
/** A byte that UTF-8 does not have. */
const INVALID = Buffer.of(0xff);

/**
 * Returns a function that converts chunk after chunk to UTF-8, and ends without a chunk. What the encoding does not
 * have becomes a byte that UTF-8 does not have, so that its line is reported.
 */
export function toUtf8(encoding: FileEncoding): (chunk?: Buffer) => Buffer {
  if (encoding === 'UTF-8') return (chunk = Buffer.alloc(0)) => chunk;
  const decoder = new TextDecoder(encoding);
  const invalid = encoding === 'Windows-1252' ? NOT_IN_WINDOWS_1252 : /\ufffd/;
  return (chunk) => {
    const text = decoder.decode(chunk, { stream: chunk !== undefined });
    // One in a chunk is enough: nothing of the file is imported.
    const at = text.search(invalid);
    if (at < 0) return Buffer.from(text);
    return Buffer.concat([Buffer.from(text.slice(0, at)), INVALID, Buffer.from(text.slice(at + 1))]);
  };
}
