import { type FaultCode, type InputFault, quote } from '../../problem-details/problem.js';
import { MAX_FAULTS } from './input-faults.js';
import { type ClassRules, rulesOf } from './input-rules.js';

/** The parameters of a query, those that occur several times as lists. */
export type QueryTexts = Readonly<Record<string, string | readonly string[]>>;

/** Parses a query for Express. Bytes that are not UTF-8 become lone surrogates, which no other text has. */
export function parseQuery(query: string | null): QueryTexts {
  const texts = Object.create(null) as Record<string, string | string[]>;
  for (const [name = '\udcff', value = '\udcff'] of decodePairs((query ?? '').split('&'))) {
    const known = texts[name];
    texts[name] = known === undefined ? value : [known, value].flat();
  }
  return texts;
}

/**
 * The values of a query for a class, and its faults. Every parameter must have a value, and occur once unless it is a
 * list: `a=1&a=2` means the same as `a=1,2`.
 *
 * @param queryClass without one, the query must be empty
 */
export function readQuery(
  sent: QueryTexts,
  queryClass: Function | undefined,
): { values: Record<string, unknown>; faults: InputFault[] } {
  const rules = queryClass && rulesOf(queryClass);
  const values: Record<string, unknown> = {};
  const faults: InputFault[] = [];
  for (const [name, texts] of Object.entries(sent)) {
    const broken = brokenRule(name, [texts].flat(), rules);
    if (!broken) values[name] = rules!.fromText(name, [texts].flat().join(','));
    else if (faults.length < MAX_FAULTS) {
      const [code, detail] = broken;
      faults.push({ detail, code, parameter: name.isWellFormed() ? quote(name) : '' });
    }
  }
  return { values, faults };
}

function brokenRule(
  name: string,
  texts: readonly string[],
  rules: ClassRules | undefined,
): [FaultCode, string] | undefined {
  const known = rules?.fields ?? [];
  const unknown = known.length === 0 ? 'this path has no parameters' : `known are ${known.join(', ')}`;
  if (!name.isWellFormed()) return ['not_utf8', 'A name of a parameter is not percent-encoded UTF-8.'];
  if (!known.includes(name)) return ['unknown_parameter', `The parameter is not known; ${unknown}.`];
  if (!texts.every((text) => text.isWellFormed()))
    return ['not_utf8', 'The value is not percent-encoded UTF-8.'];
  if (texts.length > 1 && !rules!.lists.has(name)) return ['repeated', 'The parameter may occur only once.'];
  if (texts.includes('')) return ['blank', 'The parameter needs a value.'];
  if (texts.some((text) => text.includes('\0')))
    return ['null_character', 'The value must not contain U+0000 (the null character).'];
  return undefined;
}

/**
 * The names and values of pairs such as `a=1` (WHATWG URL §5.1, but strict: undefined where the bytes are not UTF-8,
 * which `URLSearchParams` replaces). Empty pairs are skipped.
 */
export function* decodePairs(
  pairs: readonly string[],
): Generator<[name: string | undefined, value: string | undefined]> {
  for (const pair of pairs) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    yield equals < 0 ? [decode(pair), ''] : [decode(pair.slice(0, equals)), decode(pair.slice(equals + 1))];
  }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
