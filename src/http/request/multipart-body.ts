import { isUtf8 } from 'node:buffer';
import { InvalidRequest } from '../../problem-details/problems.js';
import { isUtf8Charset, parseMediaType } from '../protocol/media-type.js';
import { Form, type FormRules, malformedForm, type ValueFault } from './form-bodies.js';

/** Node's default limit for the header of a request. */
const MAX_PART_HEADER_BYTES = 16_384;

/** RFC 2046 §5.1.1. */
const MAX_BOUNDARY_LENGTH = 70;

const CRLF = '\r\n';

const FILE_FAULT: ValueFault = { detail: 'File uploads are not accepted.', code: 'file_not_allowed' };

/** `form-data`, then parameters that are tokens or quoted strings. */
const DISPOSITION = /^form-data((?:\s*;\s*[\w*]+=(?:[^\s";]+|"(?:[^"\\]|\\.)*"))*)$/i;
const PARAMETER = /;\s*([\w*]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s";]+))/g;

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
  if (!isUtf8(body)) throw malformedForm('The form is not UTF-8.', 'not_utf8');
  const form = new Form(rules);
  const delimiter = Buffer.from(`${CRLF}--${boundary}`);
  // The preamble and the epilogue are ignored (RFC 2046 §5.1.1).
  const startsAtOnce = body.subarray(0, delimiter.length - 2).equals(delimiter.subarray(2));
  let delimiterAt = startsAtOnce ? -CRLF.length : body.indexOf(delimiter);
  if (delimiterAt === -1)
    throw malformedForm('The body does not contain the boundary that Content-Type names.');
  while (!form.isFull) {
    const delimiterEnd = delimiterAt + delimiter.length;
    if (body.toString('latin1', delimiterEnd, delimiterEnd + 2) === '--') break;
    const partStart = endOfLine(body, delimiterEnd);
    delimiterAt = body.indexOf(delimiter, partStart);
    if (delimiterAt === -1) throw malformedForm('The body ends before its closing boundary.');
    addPart(form, body.subarray(partStart, delimiterAt));
  }
  return form.toFields();
}

/** @throws InvalidRequest when the boundary is missing or invalid */
export function assertBoundary(boundary: string | undefined): asserts boundary is string {
  if (boundary === undefined || boundary === '' || boundary.length > MAX_BOUNDARY_LENGTH) {
    const detail = `multipart/form-data needs a boundary of 1 to ${MAX_BOUNDARY_LENGTH} characters.`;
    throw new InvalidRequest([{ detail, code: 'malformed', header: 'Content-Type' }]);
  }
}

/** The start of the line after a delimiter. Only white space may follow a delimiter. */
function endOfLine(body: Buffer, delimiterEnd: number): number {
  let at = delimiterEnd;
  while (body[at] === 0x20 || body[at] === 0x09) at += 1;
  if (body.toString('latin1', at, at + CRLF.length) !== CRLF) {
    throw malformedForm('The line of the boundary has other characters after it.');
  }
  return at + CRLF.length;
}

function addPart(form: Form, part: Buffer): void {
  const headerEnd = part.subarray(0, MAX_PART_HEADER_BYTES).indexOf(CRLF + CRLF);
  if (headerEnd === -1) {
    return form.reject('malformed_form', `A part has no header, or one over ${MAX_PART_HEADER_BYTES} bytes.`);
  }
  const header = parsePartHeader(part.toString('utf8', 0, headerEnd));
  const parameters = parametersOf(header?.get('content-disposition'));
  const name = parameters?.get('name');
  if (header === undefined || parameters === undefined || name === undefined) {
    const detail = 'A part has a malformed header, or no Content-Disposition: form-data with a name.';
    return form.reject('malformed_form', detail);
  }
  const isFile = parameters.has('filename') || parameters.has('filename*');
  const fault = isFile ? FILE_FAULT : faultOfPart(header);
  return form.add(name, fault ?? part.toString('utf8', headerEnd + 2 * CRLF.length));
}

/** The fields of a part's header with lower-case names; `undefined` when it is malformed or repeats a field. */
function parsePartHeader(text: string): Map<string, string> | undefined {
  const header = new Map<string, string>();
  for (const line of text.split(CRLF)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase();
    if (!/^[\w-]+$/.test(name) || header.has(name)) return undefined;
    header.set(name, line.slice(colon + 1).trim());
  }
  return header;
}

/** The parameters of a Content-Disposition; `undefined` when it is malformed or repeats one. */
function parametersOf(disposition = ''): Map<string, string> | undefined {
  const list = DISPOSITION.exec(disposition)?.[1];
  if (list === undefined) return undefined;
  const parameters = new Map<string, string>();
  for (const [, name = '', quoted, token] of list.matchAll(PARAMETER)) {
    const known = name.toLowerCase();
    if (parameters.has(known)) return undefined;
    // Browsers escape three characters in a name (WHATWG HTML, multipart/form-data encoding algorithm).
    const text = token ?? quoted!.replaceAll(/\\(.)/g, '$1');
    parameters.set(known, text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%22', '"'));
  }
  return parameters;
}

/** The reason why a part cannot be read as text. Its media type does not matter: all fields are text. */
function faultOfPart(header: Map<string, string>): ValueFault | undefined {
  const { parameters } = parseMediaType(header.get('content-type') ?? 'text/plain');
  if (!isUtf8Charset(parameters['charset'])) {
    return { code: 'not_utf8', detail: 'The part has a charset other than UTF-8.' };
  }
  // The field is deprecated (RFC 7578 §4.7), and these three values change nothing.
  const encoding = header.get('content-transfer-encoding')?.toLowerCase() ?? 'binary';
  const isPlain = ['7bit', '8bit', 'binary'].includes(encoding);
  return isPlain
    ? undefined
    : { code: 'malformed_form', detail: 'The Content-Transfer-Encoding is not supported.' };
}
