import { type FaultCode, type InputFault, pointerTo, quote } from '../../problem-details/problem.js';
import { NotFound } from '../../problem-details/problems.js';
import { type InputClass, rulesOf } from './input-rules.js';

/** A request may have thousands of unknown parameters or fields. */
const MAX_FAULTS = 100;

/**
 * The path parameters as an instance of their class.
 *
 * @throws NotFound when a parameter breaks a rule, because it cannot identify anything
 */
export function readPath(parameters: Readonly<Record<string, string>>, pathClass: InputClass): object {
  const path = fromTexts(pathClass, Object.entries(parameters));
  if (rulesOf(pathClass).faultsOf(path, (parameter) => ({ parameter })).length > 0) throw new NotFound();
  return path;
}

/**
 * Reads a raw query as an instance of its class. Every parameter must have a value, and occur once unless it is a list:
 * `a=1&a=2` means the same as `a=1,2`. All parameters are optional.
 *
 * @param queryClass without one, the query must be empty
 * @param faults receives the faults of the query
 */
export function readQuery(
  query: string,
  queryClass: InputClass | undefined,
  faults: InputFault[],
): object | undefined {
  if (query === '') return queryClass && new queryClass();
  const rules = queryClass && rulesOf(queryClass);
  const known = rules?.fields ?? [];
  const unknown = known.length === 0 ? 'this path has no parameters' : `known are ${known.join(', ')}`;
  const texts = new Map<string, string>();
  const found = new Map<string, InputFault>();
  const fault = (parameter: string, code: FaultCode, detail: string): void => {
    if (!found.has(parameter)) found.set(parameter, { detail, code, parameter: quote(parameter) });
  };
  for (const [name, value] of decodePairs(query.split('&'))) {
    if (name === undefined) {
      fault('', 'not_utf8', 'A name of a parameter is not percent-encoded UTF-8.');
    } else if (!known.includes(name)) {
      fault(name, 'unknown_parameter', `The parameter is not known; ${unknown}.`);
    } else if (value === undefined) {
      fault(name, 'not_utf8', 'The value is not percent-encoded UTF-8.');
    } else if (texts.has(name) && !rules!.lists.has(name)) {
      fault(name, 'repeated', 'The parameter may occur only once.');
    } else if (value === '') {
      fault(name, 'blank', 'The parameter needs a value.');
    } else if (value.includes('\0')) {
      fault(name, 'null_character', 'The value must not contain U+0000 (the null character).');
    } else {
      texts.set(name, texts.has(name) ? `${texts.get(name)},${value}` : value);
    }
  }
  faults.push(...[...found.values()].slice(0, MAX_FAULTS));
  const input = queryClass && fromTexts(queryClass, texts);
  if (input) faults.push(...rules!.faultsOf(input, (parameter) => ({ parameter })));
  return input;
}

/** The body as an instance of its class. Values are never coerced, clamped or dropped. @param faults receives its faults */
export function readBody<Body extends object>(
  bodyClass: new () => Body,
  sent: Readonly<Record<string, unknown>>,
  faults: InputFault[],
): Body {
  const body = new bodyClass();
  const rules = rulesOf(bodyClass);
  const known = rules.fields;
  for (const name of Object.keys(sent)) {
    if (known.includes(name)) {
      (body as Record<string, unknown>)[name] = sent[name];
    } else if (faults.length < MAX_FAULTS) {
      const detail = `The field is not known; known are ${known.join(', ')}.`;
      faults.push({ detail, code: 'unknown_field', pointer: pointerTo(name) });
    }
  }
  faults.push(...rules.faultsOf(body, (name) => ({ pointer: pointerTo(name) })));
  return body;
}

/** Makes the instance of a class from the texts of a URL. */
function fromTexts(inputClass: InputClass, texts: Iterable<readonly [string, string]>): object {
  const rules = rulesOf(inputClass);
  const input = new inputClass() as Record<string, unknown>;
  for (const [name, text] of texts) input[name] = rules.fromText(name, text);
  return input;
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
