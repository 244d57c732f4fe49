import busboy from 'busboy';
import { isUtf8 } from 'node:buffer';
import { type FaultCode, type InputFault, InvalidRequest } from '../../problem-details/index.js';
import { parseMediaType } from '../protocol/media-type.js';
import { inSteps } from '../../turns/index.js';
import { withoutByteOrderMark } from '../../text/byte-order-mark.js';
import { pointerTo } from '../../text/quotations.js';
import { decodeUtf8, type Steps, utf8Pieces } from '../../text/steps.js';
import { decodePairs, type Texts, toTexts } from './field-texts.js';

/** The body of a form; the pipe makes it an instance of the handler's class. */
export class Form {
  constructor(readonly texts: Texts) {}
}

export const MAX_FORM_FIELDS = 100;
/** Enough to see how a text begins. */
const LOOKED_AT_BYTES = 16;

/**
 * Reads an `application/x-www-form-urlencoded` body (WHATWG URL §5.1). `URLSearchParams` is not used, because it
 * replaces what it cannot decode, and takes 2 s for 16 MiB of `+`.
 *
 * @throws InvalidRequest
 */
export function* readUrlencodedForm(body: Buffer): Steps<Form> {
  const bytes = withoutByteOrderMark(body);
  assertUtf8(bytes);
  // curl's `--data` without a Content-Type. As a form, the whole text would be the name of one unknown field.
  if (/^\s*[[{]/.test(bytes.subarray(0, LOOKED_AT_BYTES).toString()))
    throw new InvalidRequest([
      faultOf('The body looks like JSON: send it with Content-Type: application/json.'),
    ]);
  const text = yield* decodeUtf8(bytes);
  const pairs = text.split('&', MAX_FORM_FIELDS + 1);
  if (pairs.length > MAX_FORM_FIELDS) throw tooManyFields();
  return new Form(toTexts(yield* decodePairs(pairs)));
}

/**
 * The longest boundary (RFC 2046 §5.1.1). Searching for a longer text of the client's choice would take quadratic time:
 * measured, 34 s for 16 MiB of almost-boundaries of 7,000 characters.
 */
const MAX_BOUNDARY_LENGTH = 70;

/** Encodings that leave the text as it is (RFC 2045 §6.2). RFC 7578 §4.7 deprecates the others. */
const PLAIN_ENCODINGS = ['7bit', '8bit', 'binary'];

/**
 * Reads a `multipart/form-data` body that consists of fields (RFC 7578), each as text, whatever its media type.
 *
 * @param contentType with the boundary
 * @param client who sends it
 * @throws InvalidRequest
 */
export async function readMultipartForm(body: Buffer, contentType: string, client: string): Promise<Form> {
  assertUtf8(body);
  const boundary = readBoundary(contentType);
  const parser = openParser(contentType, body.length);
  const parts = countDelimiters(body, boundary) - 1;
  if (parts > MAX_FORM_FIELDS) throw tooManyFields();
  const fields: [string, string][] = [];
  const faults: InputFault[] = [];
  const refuse = (...fault: Parameters<typeof faultOf>): void => void faults.push(faultOf(...fault));
  parser
    .on('field', (rawName: string | undefined, text: string | undefined, { encoding }) => {
      // Browsers escape three characters in a name (WHATWG HTML, multipart/form-data encoding algorithm).
      const name = rawName?.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%22', '"');
      if (name === undefined) return;
      if (text === undefined) refuse('The charset is not known; it must be UTF-8.', 'malformed_form', name);
      else if (PLAIN_ENCODINGS.includes(encoding)) fields.push([name, text]);
      else refuse('The Content-Transfer-Encoding must be 7bit, 8bit or binary.', 'malformed_form', name);
    })
    .on('file', (name: string | undefined, file) => {
      refuse('File uploads are not accepted.', 'file_not_allowed', name);
      // When the form ends within the file, the parser reports it, too. Without a listener, the process would end.
      file.on('error', () => undefined).resume();
    });
  const parsed = new Promise<void>((resolve) => {
    parser.on('close', resolve).on('error', ({ message }: Error) => {
      resolve(refuse(`The body is not well-formed multipart/form-data: ${message}.`));
    });
  });
  await inSteps(feed(parser, body), client);
  await parsed;
  // The parser skips a part that it does not understand; its data would be lost.
  if (fields.length + faults.length < parts)
    refuse('A part has no Content-Disposition: form-data with a name.');
  if (faults.length > 0) throw new InvalidRequest(faults);
  return new Form(toTexts(fields));
}

function* feed(parser: busboy.Busboy, body: Buffer): Steps<void> {
  for (const piece of utf8Pieces(body)) {
    if (piece.byteOffset > body.byteOffset) yield;
    // A fault may have ended it.
    if (!parser.destroyed) parser.write(piece);
  }
  if (!parser.destroyed) parser.end();
}

/** Before the parser runs, because it takes a second for megabytes of parts. */
function countDelimiters(body: Buffer, boundary: string): number {
  const delimiter = `--${boundary}`;
  let count = body.indexOf(delimiter) === 0 ? 1 : 0;
  for (let at = body.indexOf(`\r\n${delimiter}`); at >= 0; at = body.indexOf(`\r\n${delimiter}`, at + 2))
    count += 1;
  return count;
}

/** @throws InvalidRequest when the boundary is missing or too long */
function readBoundary(contentType: string): string {
  const boundary = parseMediaType(contentType).parameters['boundary'] ?? '';
  if (boundary === '') throw boundaryFault('multipart/form-data needs a boundary.');
  if (boundary.length > MAX_BOUNDARY_LENGTH)
    throw boundaryFault(`The boundary has more than ${MAX_BOUNDARY_LENGTH} characters.`);
  return boundary;
}

/** @throws InvalidRequest when the media type is malformed */
function openParser(contentType: string, length: number): busboy.Busboy {
  // By default, it cuts long names and values.
  const limits = { fieldSize: length, fieldNameSize: length };
  try {
    return busboy({ headers: { 'content-type': contentType }, defParamCharset: 'utf8', limits });
  } catch {
    throw boundaryFault('multipart/form-data needs a boundary.');
  }
}

function boundaryFault(detail: string): InvalidRequest {
  return new InvalidRequest([{ detail, code: 'malformed', header: 'Content-Type' }]);
}

function assertUtf8(bytes: Buffer): void {
  if (!isUtf8(bytes)) throw new InvalidRequest([faultOf('The form is not UTF-8.', 'not_utf8')]);
}

/** @param name of the field; without one, the form as a whole is malformed */
function faultOf(detail: string, code: FaultCode = 'malformed_form', name?: string): InputFault {
  return { detail, code, pointer: name === undefined ? '' : pointerTo(name) };
}

function tooManyFields(): InvalidRequest {
  const detail = `The form has more than ${MAX_FORM_FIELDS} fields.`;
  return new InvalidRequest([{ detail, code: 'too_many', limit: MAX_FORM_FIELDS, pointer: '' }]);
}
