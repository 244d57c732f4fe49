import { isUtf8 } from 'node:buffer';
import { type FaultCode, type InputFault, pointerTo } from '../../problem-details/problem.js';
import { InvalidRequest } from '../../problem-details/problems.js';
import { isUtf8Charset, type MediaType, parseMediaType } from '../protocol/media-type.js';
import { withoutByteOrderMark } from './byte-collector.js';
import type { ClassRules } from './input-rules.js';

/** `numbers`: their canonical decimals become numbers; `optional`: empty, they count as absent, as browsers send them. */
export type FormRules = Pick<ClassRules, 'numbers' | 'optional'>;

export const MAX_FORM_FIELDS = 100;
/** Node's default limit for the header of a request. */
const MAX_PART_HEADER_BYTES = 16_384;
/** RFC 2046 §5.1.1. */
const MAX_BOUNDARY_LENGTH = 70;

const PLUS_SIGN = 0x2b;
const SPACE = 0x20;
const CRLF = '\r\n';

type ValueFault = Pick<InputFault, 'detail' | 'code'>;

/**
 * Reads an `application/x-www-form-urlencoded` body (WHATWG URL §5.1). `URLSearchParams` is not used, because it
 * replaces what it cannot decode, and takes 2 s for 16 MiB of `+`.
 *
 * @throws InvalidRequest
 */
export function decodeUrlencodedBody(body: Buffer, rules: FormRules): Record<string, unknown> {
  const bytes = withoutByteOrderMark(body);
  if (!isUtf8(bytes)) throw malformedForm('The form is not UTF-8.', 'not_utf8');
  // Byte by byte, because `replaceAll` on megabytes of `+` takes seconds.
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] === PLUS_SIGN) bytes[at] = SPACE;
  const form = new Form(rules);
  for (const pair of bytes.toString().split('&', MAX_FORM_FIELDS + 1)) {
    if (pair === '') form.count += 1;
    else addPair(form, pair);
  }
  return form.toFields();
}

function addPair(form: Form, pair: string): void {
  const equals = pair.indexOf('=');
  const name = decode(equals < 0 ? pair : pair.slice(0, equals));
  if (typeof name === 'string') form.add(name, decode(equals < 0 ? '' : pair.slice(equals + 1)));
  else form.reject(name.code, `In a field's name: ${name.detail}`);
}

function decode(text: string): string | ValueFault {
  try {
    return decodeURIComponent(text);
  } catch {
    return /%(?![\da-f]{2})/i.test(text)
      ? { detail: 'A % is not followed by two hexadecimal digits.', code: 'malformed_form' }
      : { detail: 'The value is not UTF-8.', code: 'not_utf8' };
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
  if (!isUtf8(body)) throw malformedForm('The form is not UTF-8.', 'not_utf8');
  const form = new Form(rules);
  const delimiter = Buffer.from(`${CRLF}--${boundary}`);
  // The preamble and the epilogue are ignored (RFC 2046 §5.1.1).
  const startsAtOnce = body.subarray(0, delimiter.length - 2).equals(delimiter.subarray(2));
  let delimiterAt = startsAtOnce ? -CRLF.length : body.indexOf(delimiter);
  if (delimiterAt === -1) {
    throw malformedForm('The body does not contain the boundary that Content-Type names.');
  }
  while (!form.isFull) {
    let at = delimiterAt + delimiter.length;
    if (body.toString('latin1', at, at + 2) === '--') break;
    while (body[at] === 0x20 || body[at] === 0x09) at += 1;
    if (body.toString('latin1', at, at + CRLF.length) !== CRLF) {
      throw malformedForm('The line of the boundary has other characters after it.');
    }
    at += CRLF.length;
    delimiterAt = body.indexOf(delimiter, at);
    if (delimiterAt === -1) throw malformedForm('The body ends before its closing boundary.');
    addPart(form, body.subarray(at, delimiterAt));
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

function addPart(form: Form, part: Buffer): void {
  const headerEnd = part.subarray(0, MAX_PART_HEADER_BYTES).indexOf(CRLF + CRLF);
  const header = readPartHeader(part.toString('utf8', 0, Math.max(headerEnd, 0)));
  // The parameters are written like those of a media type.
  const { type, parameters } = parseMediaType(header.get('content-disposition') ?? '');
  const { name } = parameters;
  if (type !== 'form-data' || name === undefined) {
    const detail = `A part has a header over ${MAX_PART_HEADER_BYTES} bytes, or no Content-Disposition: form-data with a name.`;
    return form.reject('malformed_form', detail);
  }
  // Browsers escape three characters in a name (WHATWG HTML, multipart/form-data encoding algorithm).
  const decoded = name.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%22', '"');
  const text = part.toString('utf8', headerEnd + 2 * CRLF.length);
  return form.add(decoded, faultOfPart(header, parameters) ?? text);
}

/** The fields of a part's header, with names in lower case. */
function readPartHeader(text: string): ReadonlyMap<string, string> {
  const lines = text.split(CRLF).map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, Math.max(colon, 0)).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return new Map(lines);
}

/** The reason why a part cannot be read as text. Its media type does not matter: all fields are text. */
function faultOfPart(
  header: ReadonlyMap<string, string>,
  parameters: MediaType['parameters'],
): ValueFault | undefined {
  if ('filename' in parameters || 'filename*' in parameters) {
    return { code: 'file_not_allowed', detail: 'File uploads are not accepted.' };
  }
  if (!isUtf8Charset(parseMediaType(header.get('content-type') ?? 'text/plain').parameters['charset'])) {
    return { code: 'not_utf8', detail: 'The part has a charset other than UTF-8.' };
  }
  // The field is deprecated (RFC 7578 §4.7), and these three values change nothing.
  if (/^(?:7bit|8bit|binary)$/i.test(header.get('content-transfer-encoding') ?? 'binary')) return undefined;
  return { code: 'malformed_form', detail: 'The Content-Transfer-Encoding is not supported.' };
}

/** Collects the fields of a form, and what is wrong with them. */
class Form {
  count = 0;
  readonly #texts = new Map<string, string>();
  readonly #faults: InputFault[] = [];
  readonly #repeated = new Set<string>();

  constructor(private readonly rules: FormRules) {}

  /** Whether the field limit is exceeded, so that the rest need not be read. */
  get isFull(): boolean {
    return this.count > MAX_FORM_FIELDS;
  }

  /** @param value the text, or the reason why it cannot be read */
  add(name: string, value: string | ValueFault): void {
    this.count += 1;
    if (this.#texts.has(name)) this.#repeated.add(name);
    else if (typeof value !== 'string') this.#faults.push({ ...value, pointer: pointerTo(name) });
    this.#texts.set(name, typeof value === 'string' ? value : '');
  }

  reject(code: FaultCode, detail: string): void {
    this.count += 1;
    this.#faults.push({ detail, code, pointer: '' });
  }

  /** @throws InvalidRequest */
  toFields(): Record<string, unknown> {
    const faults = [...this.#faults];
    for (const name of this.#repeated) {
      faults.push({ detail: 'The field occurs more than once.', code: 'repeated', pointer: pointerTo(name) });
    }
    if (this.isFull) {
      const detail = `The form has more than ${MAX_FORM_FIELDS} fields.`;
      faults.unshift({ detail, code: 'too_many', limit: MAX_FORM_FIELDS, pointer: '' });
    }
    if (faults.length > 0) throw new InvalidRequest(faults);

    const { numbers, optional } = this.rules;
    const fields = [...this.#texts]
      .filter(([name, text]) => text !== '' || !optional.has(name))
      .map(([name, text]) => [name, numbers.has(name) ? numberOrText(text) : text] as const);
    // Unlike an assignment, this makes `__proto__` an ordinary field.
    return Object.fromEntries(fields);
  }
}

function malformedForm(detail: string, code: FaultCode = 'malformed_form'): InvalidRequest {
  return new InvalidRequest([{ detail, code, pointer: '' }]);
}

function numberOrText(text: string): number | string {
  const isCanonical = /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text));
  return isCanonical ? Number(text) : text;
}
