import { InvalidRequest } from '../../problem-details/problems.js';
import { isToken, parseMediaType, parseParameter, splitOutsideQuotes } from '../protocol/media-type.js';
import { Form, type FormRules, isUtf8Charset, type ValueFault } from './form-bodies.js';

/** Node's default limit for the header of a request. */
const MAX_PART_HEADER_BYTES = 16_384;

/** RFC 2046 §5.1.1. */
const MAX_BOUNDARY_LENGTH = 70;

const FILE_FAULT: ValueFault = { detail: 'File uploads are not accepted.', code: 'file_not_allowed' };

const CRLF = '\r\n';

/**
 * Reads a `multipart/form-data` body that consists of fields (RFC 7578). busboy is not used because it loses data
 * silently: it skips parts it does not understand, decodes by the charset of a part without reporting it, and replaces
 * undecodable bytes.
 *
 * @param boundary the `boundary` parameter of the Content-Type
 * @throws InvalidRequest
 */
export async function decodeMultipartBody(
  body: Buffer,
  boundary: string | undefined,
  rules: FormRules,
): Promise<Record<string, unknown>> {
  assertBoundary(boundary);
  const form = new Form(rules);
  const dashBoundary = Buffer.from(`--${boundary}`, 'latin1');
  const delimiter = Buffer.from(`${CRLF}--${boundary}`, 'latin1');

  // The preamble and the epilogue are ignored (RFC 2046 §5.1.1).
  const startsAtOnce = body.subarray(0, dashBoundary.length).equals(dashBoundary);
  let delimiterAt = startsAtOnce ? -CRLF.length : body.indexOf(delimiter);
  if (delimiterAt === -1) throw malformed('The body does not contain the boundary that Content-Type names.');
  while (!form.isFull) {
    const delimiterEnd = delimiterAt + delimiter.length;
    if (body.toString('latin1', delimiterEnd, delimiterEnd + 2) === '--') break;
    const partStart = endOfLine(body, delimiterEnd);
    delimiterAt = body.indexOf(delimiter, partStart);
    if (delimiterAt === -1) throw malformed('The body ends before its closing boundary.');
    await addPart(form, body.subarray(partStart, delimiterAt));
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
    throw malformed('The line of the boundary has other characters after it.');
  }
  return at + CRLF.length;
}

async function addPart(form: Form, part: Buffer): Promise<void> {
  const headerEnd = part.subarray(0, MAX_PART_HEADER_BYTES).indexOf(CRLF + CRLF);
  if (headerEnd === -1) {
    return form.reject('malformed_form', `A part has no header, or one over ${MAX_PART_HEADER_BYTES} bytes.`);
  }
  const header = parsePartHeader(part.toString('latin1', 0, headerEnd));
  const disposition = parseDisposition(header?.get('content-disposition'));
  if (header === undefined || disposition === undefined) {
    return form.reject(
      'malformed_form',
      'A part has a malformed header, or no Content-Disposition: form-data with a name.',
    );
  }
  const fault = disposition.isFile ? FILE_FAULT : faultOfPart(header);
  return form.add(
    Buffer.from(disposition.name, 'latin1'),
    fault ?? part.subarray(headerEnd + 2 * CRLF.length),
  );
}

/** The fields of a part's header with lower-case names; `undefined` when it is malformed or repeats a field. */
function parsePartHeader(text: string): Map<string, string> | undefined {
  const header = new Map<string, string>();
  for (const line of text.split(CRLF)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase();
    if (!isToken(name) || header.has(name)) return undefined;
    header.set(name, line.slice(colon + 1));
  }
  return header;
}

function parseDisposition(value = ''): { name: string; isFile: boolean } | undefined {
  const [type = '', ...parameterTexts] = splitOutsideQuotes(value, ';');
  if (type.toLowerCase() !== 'form-data') return undefined;
  const names: string[] = [];
  let isFile = false;
  for (const text of parameterTexts) {
    const [parameter, word] = parseParameter(text);
    if (parameter === 'filename' || parameter === 'filename*') isFile = true;
    else if (parameter === 'name' && word !== undefined) names.push(word);
    else if (text !== '') return undefined;
  }
  const [name] = names;
  if (name === undefined || names.length > 1) return undefined;
  // The three characters that browsers escape in a name (WHATWG HTML, multipart/form-data encoding algorithm).
  return { name: name.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%22', '"'), isFile };
}

/** The reason why a part cannot be read as text. Its media type does not matter: all fields are text. */
function faultOfPart(header: Map<string, string>): ValueFault | undefined {
  const contentType = header.get('content-type');
  if (contentType !== undefined) {
    const mediaType = parseMediaType(contentType);
    if (mediaType === undefined) {
      return { code: 'malformed_form', detail: 'The Content-Type of the part is malformed.' };
    }
    const charset = mediaType.parameters.get('charset');
    if (!isUtf8Charset(charset)) {
      return { code: 'not_utf8', detail: 'The part has a charset other than UTF-8.' };
    }
  }
  // The field is deprecated (RFC 7578 §4.7), and these three values change nothing.
  const encoding = header.get('content-transfer-encoding')?.trim().toLowerCase() ?? 'binary';
  const isPlain = ['7bit', '8bit', 'binary'].includes(encoding);
  return isPlain
    ? undefined
    : { code: 'malformed_form', detail: 'The Content-Transfer-Encoding is not supported.' };
}

function malformed(detail: string): InvalidRequest {
  return new InvalidRequest([{ detail, code: 'malformed_form', pointer: '' }]);
}
