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

/** The parts of a fault that the `context` of a decorator can have. */
type FaultContext = Partial<Pick<InputFault, 'code' | 'limit'>>;

/** A query has parameters. A body, and a line of an import, have fields. */
export type NameKind = 'parameter' | 'field';

export function placeOf(name: string, kind: NameKind): FaultPlace {
  return kind === 'parameter' ? { parameter: quote(name) } : { pointer: pointerTo(name) };
}

function placeIn(fault: InputFault): string {
  if ('pointer' in fault) return fault.pointer;
  return 'parameter' in fault ? fault.parameter : fault.header;
}

/** The faults of the properties that break a rule, and of the properties in them. */
export function faultsOf(errors: readonly ValidationError[], kind: NameKind, prefix = ''): InputFault[] {
  return errors.flatMap((error) => {
    const pointer = prefix + pointerTo(error.property);
    const place = kind === 'parameter' ? placeOf(error.property, kind) : { pointer };
    const inner = faultsOf(error.children ?? [], 'field', pointer);
    const own = faultOf(error, place);
    return own ? [...inner, own] : inner;
  });
}

/**
 * All faults of an input. A property whose value could not be read was sent, so that it is not reported as missing, too.
 *
 * @param ofReading the faults found while the input was read
 * @param ofRules the faults found by its validation
 */
export function allFaults(ofReading: readonly InputFault[], ofRules: readonly InputFault[]): InputFault[] {
  const unreadable = new Set(ofReading.map(placeIn));
  const isMissing = (fault: InputFault): boolean => !unreadable.has(placeIn(fault));
  return [...ofReading, ...ofRules.filter((fault) => fault.code !== 'required' || isMissing(fault))];
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

/** The result of reading an input, before its validation. */
export interface ReadInput {
  readonly values: Readonly<Record<string, unknown>>;
  /** The faults found while it was read, such as unknown names. The validation sees the values only. */
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
