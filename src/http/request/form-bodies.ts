import { isUtf8 } from 'node:buffer';
import { type FaultCode, pointerTo } from '../../problem-details/problem.js';
import { InvalidRequest } from '../../problem-details/problems.js';
import { isUtf8Charset, parseMediaType } from '../protocol/media-type.js';
import { withoutByteOrderMark } from './byte-collector.js';
import { decodePairs } from './input-reader.js';
import type { ClassRules } from './input-rules.js';

/** How the texts become values. Empty, an optional field counts as absent, as browsers send it. */
export type FormRules = Pick<ClassRules, 'optional' | 'fromText'>;

export const MAX_FORM_FIELDS = 100;
/** Node's default limit for the header of a request. */
const MAX_PART_HEADER_BYTES = 16_384;
/** RFC 2046 §5.1.1. */
const MAX_BOUNDARY_LENGTH = 70;

const PLUS_SIGN = 0x2b;
const SPACE = 0x20;
const CRLF = '\r\n';

type Field = readonly [name: string, text: string];

/**
 * Reads an `application/x-www-form-urlencoded` body (WHATWG URL §5.1). `URLSearchParams` is not used, because it
 * replaces what it cannot decode, and takes 2 s for 16 MiB of `+`.
 *
 * @throws InvalidRequest
 */
export function decodeUrlencodedBody(body: Buffer, rules: FormRules): Record<string, unknown> {
  const bytes = withoutByteOrderMark(body);
  assertUtf8(bytes);
  // Byte by byte, because `replaceAll` on megabytes of `+` takes seconds.
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] === PLUS_SIGN) bytes[at] = SPACE;
  return toFields(fieldsOf(bytes.toString()), rules);
}

function* fieldsOf(text: string): Generator<Field> {
  const pairs = text.split('&', MAX_FORM_FIELDS + 1);
  if (pairs.length > MAX_FORM_FIELDS) throw tooManyFields();
  for (const [name, value] of decodePairs(pairs)) {
    if (name === undefined) throw malformedForm('A name is not percent-encoded UTF-8.', 'not_utf8');
    if (value === undefined) throw malformedForm('The value is not percent-encoded UTF-8.', 'not_utf8', name);
    yield [name, value];
  }
}

/**
 * Reads a `multipart/form-data` body that consists of fields (RFC 7578). Neither busboy nor `Response.formData()` is
 * used: busboy skips parts that it does not understand, and `formData()` removes byte order marks, refuses preambles,
 * ignores the charset of a part and takes 0.7 s for a header of 16 MiB.
 *
 * @param boundary the `boundary` parameter of the Content-Type
 * @throws InvalidRequest
 */
export function decodeMultipartBody(
  body: Buffer,
  boundary: string | undefined,
  rules: FormRules,
): Record<string, unknown> {
  assertBoundary(boundary);
  assertUtf8(body);
  return toFields(partsOf(Buffer.concat([Buffer.from(CRLF), body]), boundary), rules);
}

/** @throws InvalidRequest when the boundary is missing or invalid */
export function assertBoundary(boundary: string | undefined): asserts boundary is string {
  if (boundary === undefined || boundary === '' || boundary.length > MAX_BOUNDARY_LENGTH) {
    const detail = `multipart/form-data needs a boundary of 1 to ${MAX_BOUNDARY_LENGTH} characters.`;
    throw new InvalidRequest([{ detail, code: 'malformed', header: 'Content-Type' }]);
  }
}

/** The preamble and the epilogue are ignored (RFC 2046 §5.1.1). */
function* partsOf(bytes: Buffer, boundary: string): Generator<Field> {
  const delimiter = Buffer.from(`${CRLF}--${boundary}`);
  let delimiterAt = bytes.indexOf(delimiter);
  while (delimiterAt >= 0) {
    const at = delimiterAt + delimiter.length;
    if (bytes.toString('latin1', at, at + 2) === '--') return;
    const lineEnd = bytes.indexOf(CRLF, at);
    if (lineEnd < 0 || bytes.toString('latin1', at, lineEnd).trim() !== '') {
      throw malformedForm('The line of the boundary has other characters after it.');
    }
    const start = lineEnd + CRLF.length;
    delimiterAt = bytes.indexOf(delimiter, start);
    if (delimiterAt >= 0) yield readPart(bytes.subarray(start, delimiterAt));
  }
  throw malformedForm('The body does not contain the boundary that Content-Type names, or not its last one.');
}

/** Reads a part as text, whatever its media type: all fields are text. */
function readPart(part: Buffer): Field {
  const headerEnd = part.subarray(0, MAX_PART_HEADER_BYTES).indexOf(CRLF + CRLF);
  const header = part.toString('utf8', 0, Math.max(headerEnd, 0));
  // The parameters are written like those of a media type.
  const { type, parameters } = parseMediaType(/^content-disposition:(.*)$/im.exec(header)?.[1] ?? '');
  if (type !== 'form-data' || parameters['name'] === undefined) {
    const detail = `A part has a header over ${MAX_PART_HEADER_BYTES} bytes, or no Content-Disposition: form-data with a name.`;
    throw malformedForm(detail);
  }
  // Browsers escape three characters in a name (WHATWG HTML, multipart/form-data encoding algorithm).
  const name = parameters['name'].replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%22', '"');
  if ('filename' in parameters || 'filename*' in parameters) {
    throw malformedForm('File uploads are not accepted.', 'file_not_allowed', name);
  }
  const contentType = /^content-type:(.*)$/im.exec(header)?.[1] ?? '';
  if (!isUtf8Charset(parseMediaType(contentType).parameters['charset'])) {
    throw malformedForm('The part has a charset other than UTF-8.', 'not_utf8', name);
  }
  return [name, part.toString('utf8', headerEnd + 2 * CRLF.length)];
}

/** @throws InvalidRequest */
function toFields(sent: Iterable<Field>, rules: FormRules): Record<string, unknown> {
  const texts = new Map<string, string>();
  const repeated = new Set<string>();
  let count = 0;
  for (const [name, text] of sent) {
    count += 1;
    if (count > MAX_FORM_FIELDS) throw tooManyFields();
    if (texts.has(name)) repeated.add(name);
    texts.set(name, text);
  }
  if (repeated.size > 0) {
    const detail = 'The field occurs more than once.';
    throw new InvalidRequest(
      [...repeated].map((name) => ({ detail, code: 'repeated', pointer: pointerTo(name) })),
    );
  }
  const fields = [...texts].filter(([name, text]) => text !== '' || !rules.optional.has(name));
  // Unlike an assignment, this makes `__proto__` an ordinary field.
  return Object.fromEntries(fields.map(([name, text]) => [name, rules.fromText(name, text)]));
}

function assertUtf8(bytes: Buffer): void {
  if (!isUtf8(bytes)) throw malformedForm('The form is not UTF-8.', 'not_utf8');
}

/** @param name of the field; without one, the form as a whole is malformed */
function malformedForm(detail: string, code: FaultCode = 'malformed_form', name?: string): InvalidRequest {
  return new InvalidRequest([{ detail, code, pointer: name === undefined ? '' : pointerTo(name) }]);
}

function tooManyFields(): InvalidRequest {
  const detail = `The form has more than ${MAX_FORM_FIELDS} fields.`;
  return new InvalidRequest([{ detail, code: 'too_many', limit: MAX_FORM_FIELDS, pointer: '' }]);
}
