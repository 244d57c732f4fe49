import { isUtf8 } from 'node:buffer';
import { type FaultCode, type InputFault, pointerTo } from '../../problem-details/problem.js';
import { InvalidRequest } from '../../problem-details/problems.js';
import { withoutByteOrderMark } from './body-bytes.js';
import { decodeUtf8, nextTurn, SLICE_BYTES } from './slices.js';

/** The rules for reading forms, which contain only text. */
export interface FormRules {
  /** Fields whose canonical decimals (`7`, not `07`, `+7` or `7.0`) become numbers. */
  readonly numberFields: readonly string[];
  /** Fields that count as absent when they are empty: a browser sends an empty value for an untouched input. */
  readonly emptyMeansAbsent: readonly string[];
}

export const MAX_FORM_FIELDS = 100;

/** Longer than the name of any field. A fault does not repeat a longer name. */
export const MAX_NAME_LENGTH = 256;

const MAX_FAULTS = 100;

export type ValueFault = Pick<InputFault, 'detail' | 'code'>;

const NOT_UTF8: ValueFault = { detail: 'The value is not UTF-8.', code: 'not_utf8' };

const AMPERSAND = 0x26;
const EQUALS_SIGN = 0x3d;
const PERCENT_SIGN = 0x25;
const PLUS_SIGN = 0x2b;
const SPACE = 0x20;

/**
 * Reads an `application/x-www-form-urlencoded` body (WHATWG URL §5.1). Unlike `URLSearchParams`, it replaces nothing:
 * undecodable input is a fault.
 *
 * @throws InvalidRequest
 */
export async function decodeUrlencodedBody(body: Buffer, rules: FormRules): Promise<Record<string, unknown>> {
  const bytes = withoutByteOrderMark(body);
  const form = new Form(rules);
  let start = 0;
  while (start < bytes.length && !form.isFull) {
    if (bytes[start] === AMPERSAND) {
      start += 1;
      if (start % SLICE_BYTES === 0) await nextTurn();
      continue;
    }
    const end = indexOrLength(bytes, AMPERSAND, start);
    await addPair(form, bytes.subarray(start, end));
    start = end + 1;
  }
  return form.toFields();
}

async function addPair(form: Form, pair: Buffer): Promise<void> {
  const nameEnd = indexOrLength(pair, EQUALS_SIGN, 0);
  const name = await percentDecode(pair.subarray(0, nameEnd));
  if (name === undefined)
    return form.reject('malformed_form', "A field's name has a % without two hexadecimal digits.");
  const value = await percentDecode(pair.subarray(nameEnd + 1));
  return form.add(
    name,
    value ?? { code: 'malformed_form', detail: 'The value has a % without two hexadecimal digits.' },
  );
}

/** Returns `undefined` when a `%` does not start an escape. */
async function percentDecode(encoded: Buffer): Promise<Buffer | undefined> {
  if (!encoded.includes(PERCENT_SIGN) && !encoded.includes(PLUS_SIGN)) return encoded;
  const decoded = Buffer.allocUnsafe(encoded.length);
  let length = 0;
  for (let at = 0; at < encoded.length; at += 1) {
    if (length % SLICE_BYTES === SLICE_BYTES - 1) await nextTurn();
    let byte = encoded[at]!;
    if (byte === PLUS_SIGN) {
      byte = SPACE;
    } else if (byte === PERCENT_SIGN) {
      byte = (hexDigit(encoded[at + 1]) << 4) | hexDigit(encoded[at + 2]);
      if (byte < 0) return undefined;
      at += 2;
    }
    decoded[length] = byte;
    length += 1;
  }
  return decoded.subarray(0, length);
}

/** The value of a hexadecimal digit; −1 for any other byte, which makes the combined value negative. */
function hexDigit(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

function indexOrLength(bytes: Buffer, byte: number, from: number): number {
  const index = bytes.indexOf(byte, from);
  return index === -1 ? bytes.length : index;
}

/** Whether a `charset` parameter is UTF-8 or absent. Everything here is read as UTF-8. */
export function isUtf8Charset(charset: string | undefined): boolean {
  return charset === undefined || /^utf-?8$/i.test(charset);
}

export class Form {
  readonly #texts = new Map<string, string>();
  readonly #faults: InputFault[] = [];
  readonly #repeated = new Set<string>();
  #count = 0;

  constructor(private readonly rules: FormRules) {}

  /** Whether the field limit is exceeded, so that the rest need not be read. */
  get isFull(): boolean {
    return this.#count > MAX_FORM_FIELDS;
  }

  /** @param value the bytes of the value, or the reason why it cannot be read */
  async add(nameBytes: Buffer, value: Buffer | ValueFault): Promise<void> {
    const name = await textOf(nameBytes);
    if (name === undefined) return this.reject('not_utf8', "A field's name is not UTF-8.");
    if (name.length > MAX_NAME_LENGTH) {
      return this.reject(
        'too_long',
        `A field's name is longer than ${MAX_NAME_LENGTH} characters.`,
        MAX_NAME_LENGTH,
      );
    }
    this.#count += 1;
    if (this.#texts.has(name)) {
      this.#repeated.add(name);
      return;
    }
    const text = Buffer.isBuffer(value) ? await textOf(value) : undefined;
    this.#texts.set(name, text ?? '');
    if (text === undefined) {
      const { detail, code } = Buffer.isBuffer(value) ? NOT_UTF8 : value;
      this.#faults.push({ detail, code, pointer: pointerTo(name) });
    }
  }

  reject(code: FaultCode, detail: string, limit?: number): void {
    this.#count += 1;
    this.#faults.push({ detail, code, limit, pointer: '' });
  }

  /** @throws InvalidRequest */
  toFields(): Record<string, unknown> {
    const faults = [...this.#faults];
    for (const name of this.#repeated) {
      faults.push({ detail: 'The field occurs more than once.', code: 'repeated', pointer: pointerTo(name) });
    }
    if (this.isFull) {
      faults.unshift({
        detail: `The form has more than ${MAX_FORM_FIELDS} fields.`,
        code: 'too_many',
        limit: MAX_FORM_FIELDS,
        pointer: '',
      });
    }
    if (faults.length > 0) throw new InvalidRequest(faults.slice(0, MAX_FAULTS));

    const fields = new Map<string, unknown>();
    for (const [name, text] of this.#texts) {
      const isAbsent = text === '' && this.rules.emptyMeansAbsent.includes(name);
      if (!isAbsent) fields.set(name, this.rules.numberFields.includes(name) ? numberOrText(text) : text);
    }
    // Unlike an assignment, this makes `__proto__` an ordinary field.
    return Object.fromEntries(fields);
  }
}

async function textOf(bytes: Buffer): Promise<string | undefined> {
  return isUtf8(bytes) ? decodeUtf8(bytes) : undefined;
}

function numberOrText(text: string): number | string {
  const isCanonical = /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text));
  return isCanonical ? Number(text) : text;
}
