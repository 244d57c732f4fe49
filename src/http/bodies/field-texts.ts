import { atOnce, PIECE_LENGTH, type Steps } from '../../text/steps.js';
import type { FaultCode, InputFault } from '../../problem-details/index.js';
import {
  type ClassRules,
  MAX_FAULTS,
  type NameKind,
  placeOf,
  type ReadInput,
  rulesOf,
} from '../../input/index.js';

/**
 * The parameters of a query or the fields of a form, those that occur several times as lists. Bytes that are not UTF-8
 * are lone surrogates, which no other text has.
 */
export type Texts = Readonly<Record<string, string | readonly string[]>>;

const NOT_UTF8 = '\udcff';

/** Parses a query, without its question mark. */
export function parseQuery(query: string | null): Texts {
  return toTexts(query ? atOnce(decodePairs(query.split('&'))) : []);
}

export function toTexts(pairs: Iterable<readonly [name: string, text: string]>): Texts {
  const texts = Object.create(null) as Record<string, string | string[]>;
  for (const [name, text] of pairs) {
    const former = texts[name];
    // Added in place: a copy of the list for each value takes quadratic time.
    if (former === undefined) texts[name] = text;
    else if (Array.isArray(former)) former.push(text);
    else texts[name] = [former, text];
  }
  return texts;
}

/**
 * The values of a query or a form for a class, which has yet to validate them. Every parameter must have a value. A field
 * that is empty counts as absent where it is optional, because browsers send it. Names occur once, unless the value is a
 * list: `a=1&a=2` means the same as `a=1,2`.
 *
 * @param inputClass without one, the query must be empty
 */
export function readTexts(sent: Texts, inputClass: Function | undefined, kind: NameKind): ReadInput {
  const rules = inputClass && rulesOf(inputClass);
  const values: [string, unknown][] = [];
  const faults: InputFault[] = [];
  for (const [name, text] of Object.entries(sent)) {
    if (kind === 'field' && text === '' && rules?.optional.has(name)) continue;
    const texts = typeof text === 'string' ? [text] : text;
    const broken = brokenRule(name, texts, rules, kind);
    if (!broken) values.push([name, rules!.fromText(name, texts.join(','))]);
    else if (faults.length < MAX_FAULTS) {
      const [code, detail] = broken;
      const whole = kind === 'field' ? { pointer: '' } : { parameter: '' };
      faults.push({ detail, code, ...(name.isWellFormed() ? placeOf(name, kind) : whole) });
    }
  }
  // Unlike an assignment, this makes `__proto__` an ordinary name.
  return { values: Object.fromEntries(values), faults };
}

function brokenRule(
  name: string,
  texts: readonly string[],
  rules: ClassRules | undefined,
  kind: NameKind,
): readonly [FaultCode, string] | undefined {
  if (!name.isWellFormed()) return ['not_utf8', `A name of a ${kind} is not percent-encoded UTF-8.`];
  if (kind === 'parameter' && !rules?.fields.includes(name))
    return ['unknown_parameter', `The parameter is not known; ${knownParameters(name, rules)}.`];
  if (!texts.every((text) => text.isWellFormed()))
    return ['not_utf8', 'The value is not percent-encoded UTF-8.'];
  if (texts.length > 1 && !rules?.lists.has(name)) return ['repeated', `The ${kind} may occur only once.`];
  if (kind === 'field') return undefined;
  if (texts.includes('')) return ['blank', 'The parameter needs a value.'];
  if (texts.some((text) => text.includes('\0')))
    return ['null_character', 'The value must not contain U+0000 (the null character).'];
  return undefined;
}

function knownParameters(name: string, rules: ClassRules | undefined): string {
  if (!rules) return 'this path has no parameters';
  // axios, PHP and Rails write a list as `id[]=1`.
  const list = name.replace(/\[\d*\]$/, '');
  if (rules.lists.has(list))
    return `send ${list} without brackets, in axios by paramsSerializer: { indexes: null }`;
  return `known are ${rules.fields.join(', ')}`;
}

/**
 * The names and values of pairs such as `a=1` (WHATWG URL §5.1, but strict: `URLSearchParams` replaces what it cannot
 * decode). Empty pairs are skipped.
 */
export function* decodePairs(pairs: readonly string[]): Steps<[name: string, value: string][]> {
  const decoded: [name: string, value: string][] = [];
  for (const pair of pairs) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = equals < 0 ? pair : pair.slice(0, equals);
    const value = equals < 0 ? '' : pair.slice(equals + 1);
    decoded.push([yield* decode(name), yield* decode(value)]);
  }
  return decoded;
}

function* decode(text: string): Steps<string> {
  const pieces: string[] = [];
  try {
    for (let start = 0; start < text.length;) {
      if (start > 0) yield;
      const end = endOfEscapes(text, start + PIECE_LENGTH);
      pieces.push(decodeURIComponent(text.slice(start, end).replaceAll('+', ' ')));
      start = end;
    }
  } catch {
    return NOT_UTF8;
  }
  return pieces.join('');
}

/** The second or a later escape of a character, such as the second one of `%C3%A9`. */
const LATER_ESCAPE = /%[89ab]/iy;

/** The end of a piece, which is neither within an escape nor between the escapes of a character. */
function endOfEscapes(text: string, mostlyAt: number): number {
  if (mostlyAt >= text.length) return text.length;
  let end = mostlyAt;
  if (text[end - 1] === '%') end -= 1;
  else if (text[end - 2] === '%') end -= 2;
  // A character has up to four.
  for (let most = 3; most > 0; most -= 1) {
    LATER_ESCAPE.lastIndex = end;
    if (!LATER_ESCAPE.test(text)) break;
    end -= 3;
  }
  return end;
}
