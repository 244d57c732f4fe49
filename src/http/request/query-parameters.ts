import { type FaultCode, type InputFault, quote } from '../../problem-details/problem.js';

/** A request may have thousands of unknown parameters or fields. */
export const MAX_FAULTS = 100;

export interface QueryParameters {
  readonly values: Readonly<Record<string, string>>;
  readonly faults: readonly InputFault[];
}

/**
 * Reads a raw query. Every parameter must occur once and have a value.
 *
 * @param allowed the known parameters; any other is a fault
 * @param lists the parameters that may be repeated: `a=1&a=2` means the same as `a=1,2`
 */
export function readQuery(
  query: string,
  allowed: readonly string[] = [],
  lists?: ReadonlySet<string>,
): QueryParameters {
  const unknown =
    allowed.length === 0
      ? 'The parameter is not known; this path has no parameters.'
      : `The parameter is not known; known are ${allowed.join(', ')}.`;
  const values: Record<string, string> = Object.create(null);
  const faults = new Map<string, InputFault>();
  const fault = (parameter: string, code: FaultCode, detail: string): void => {
    if (!faults.has(parameter)) faults.set(parameter, { detail, code, parameter: quote(parameter) });
  };
  for (const [name, value] of decodePairs(query.split('&'))) {
    if (name === undefined) {
      fault('', 'not_utf8', 'A name of a parameter is not percent-encoded UTF-8.');
    } else if (!allowed.includes(name)) {
      fault(name, 'unknown_parameter', unknown);
    } else if (value === undefined) {
      fault(name, 'not_utf8', 'The value is not percent-encoded UTF-8.');
    } else if (name in values && !lists?.has(name)) {
      fault(name, 'repeated', 'The parameter may occur only once.');
    } else if (value === '') {
      fault(name, 'blank', 'The parameter needs a value.');
    } else if (value.includes('\0')) {
      fault(name, 'null_character', 'The value must not contain U+0000 (the null character).');
    } else {
      values[name] = name in values ? `${values[name]},${value}` : value;
    }
  }
  return { values, faults: [...faults.values()].slice(0, MAX_FAULTS) };
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
