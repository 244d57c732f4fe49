import { validateSync, type ValidationError } from 'class-validator';
import type { FaultCode, FaultPlace, InputFault } from '../problem-details/index.js';
import { pointerTo, quote } from '../text/quotations.js';
import { rulesOf } from './input-rules.js';

/** A request may have thousands of unknown parameters or fields. */
export const MAX_FAULTS = 100;

/**
 * The faults of class-validator's rules, by the names of the rules. Of several broken rules of a property, the first in
 * this list gives the fault; its text replaces that of class-validator. Rules of our own have the code in their `context`.
 */
const FAULTS: Readonly<Record<string, { readonly code: FaultCode; readonly detail?: string }>> = {
  whitelistValidation: { code: 'unknown_field', detail: 'The field is not known.' },
  isString: { code: 'not_a_string', detail: 'The value must be a string.' },
  isBoolean: { code: 'not_a_boolean', detail: 'The value must be true or false.' },
  isArray: { code: 'not_an_array' },
  arrayNotEmpty: { code: 'blank' },
  arrayMaxSize: { code: 'too_many' },
  isInt: { code: 'not_an_integer' },
  min: { code: 'out_of_range' },
  max: { code: 'out_of_range' },
  isIn: { code: 'not_one_of' },
  arrayUnique: { code: 'repeated' },
  maxCodePoints: { code: 'too_long' },
  matches: { code: 'malformed' },
};
const ORDER = Object.keys(FAULTS);
const rank = (rule: string): number => (ORDER.includes(rule) ? ORDER.indexOf(rule) : ORDER.length);

/** What a decorator's `context` can say about its fault. */
type FaultContext = Partial<Pick<InputFault, 'code' | 'limit'>>;

/** What the names of an input name: those of a query parameters, those of a body or a line fields. */
export type Named = 'parameter' | 'field';

export function placeOf(name: string, kind: Named): FaultPlace {
  return kind === 'parameter' ? { parameter: quote(name) } : { pointer: pointerTo(name) };
}

function placeIn(fault: InputFault): string {
  if ('pointer' in fault) return fault.pointer;
  return 'parameter' in fault ? fault.parameter : fault.header;
}

/** The faults of the properties that break a rule, and of the properties in them. */
export function faultsOf(errors: readonly ValidationError[], kind: Named, prefix = ''): InputFault[] {
  return errors.flatMap((error) => {
    const pointer = prefix + pointerTo(error.property);
    const inner = faultsOf(error.children ?? [], 'field', pointer);
    const own = faultOf(error, kind === 'field' ? { pointer } : placeOf(error.property, kind));
    return own ? [...inner, own] : inner;
  });
}

/**
 * All faults of an input.
 *
 * @param sent those of what was sent: a property that has one got no value, and is not missing
 * @param broken those of the rules that are broken
 */
export function allFaults(sent: readonly InputFault[], broken: readonly InputFault[]): InputFault[] {
  const places = new Set(sent.map(placeIn));
  return [...sent, ...broken.filter((fault) => fault.code !== 'required' || !places.has(placeIn(fault)))];
}

/** The fault of the first rule that a property itself breaks. */
function faultOf(
  { value, constraints, contexts }: ValidationError,
  place: FaultPlace,
): InputFault | undefined {
  const [rule] = Object.keys(constraints ?? {}).toSorted((a, b) => rank(a) - rank(b));
  if (rule === undefined) return undefined;
  if (value === undefined && rule !== 'whitelistValidation')
    return { detail: 'The field is required.', code: 'required', ...place };
  const { code = 'malformed', detail = textOf(constraints![rule]!) } = FAULTS[rule] ?? {};
  return { detail, code, ...place, ...(contexts?.[rule] as FaultContext | undefined) };
}

/** The text of a rule, that of `@IsIn()` as a sentence of ours. */
function textOf(message: string): string {
  return message.replace(/^.* must be one of the following values: (.*)$/, 'The value must be one of $1.');
}

/** What was read of an input, and has yet to be validated. */
export interface ReadInput {
  readonly values: Readonly<Record<string, unknown>>;
  /** Those that the validation cannot see. */
  readonly faults: readonly InputFault[];
}

/** The fields of a body or a line that a class knows, and the faults of the others. */
export function takeKnown(inputClass: Function, sent: Readonly<Record<string, unknown>>): ReadInput {
  const { fields } = rulesOf(inputClass);
  const values: Record<string, unknown> = {};
  const faults: InputFault[] = [];
  for (const name of fields) if (Object.hasOwn(sent, name)) values[name] = sent[name];
  for (const name of Object.keys(sent)) {
    if (faults.length >= MAX_FAULTS) break;
    if (fields.includes(name)) continue;
    const detail = `The field is not known; known are ${fields.join(', ')}.`;
    faults.push({ detail, code: 'unknown_field', ...placeOf(name, 'field') });
  }
  return { values, faults };
}

/** A line of an import as an instance of its class, by the same rules as a body. */
export function readFields<Fields extends object>(
  inputClass: new () => Fields,
  sent: Readonly<Record<string, unknown>>,
): { readonly input: Fields; readonly faults: readonly InputFault[] } {
  const { values, faults } = takeKnown(inputClass, sent);
  const valid = rulesOf(inputClass).quick.toValid(values);
  if (valid) return { input: valid as Fields, faults };
  const input = Object.assign(new inputClass(), values);
  return { input, faults: allFaults(faults, faultsOf(validateSync(input), 'field')) };
}
