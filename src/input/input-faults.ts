import { validateSync, type ValidationError } from 'class-validator';
import {
  type FaultCode,
  type FaultPlace,
  type InputFault,
  pointerTo,
  quote,
} from '../problem-details/index.js';
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
export type FaultContext = Partial<Pick<InputFault, 'code' | 'limit'>>;

/** What the names of an input name: those of a query parameters, those of a body or a line fields. */
export type Named = 'parameter' | 'field';

export function placeOf(name: string, kind: Named): FaultPlace {
  return kind === 'parameter' ? { parameter: quote(name) } : { pointer: pointerTo(name) };
}

function placeIn(fault: InputFault): string {
  return 'pointer' in fault ? fault.pointer : 'parameter' in fault ? fault.parameter : fault.header;
}

/**
 * Adds a fault for each property that breaks a rule, and for the properties in it.
 *
 * @param faults those found before, whose properties were not set
 */
export function addFaults(
  faults: InputFault[],
  errors: readonly ValidationError[],
  kind: Named,
  prefix = '',
): void {
  const placesBefore = new Set(faults.map(placeIn));
  for (const error of errors) {
    const pointer = prefix + pointerTo(error.property);
    addFaults(faults, error.children ?? [], 'field', pointer);
    const fault = faultOf(error, kind === 'field' ? { pointer } : placeOf(error.property, kind));
    // A field has no value when what was sent has another fault: it is not missing.
    const isMissing = fault?.code === 'required' && placesBefore.has(placeIn(fault));
    if (fault && !isMissing) faults.push(fault);
  }
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

/** The fields of a body or a line that a class knows. @param faults receives those of the others */
export function takeKnown(
  inputClass: Function,
  sent: Readonly<Record<string, unknown>>,
  faults: InputFault[],
): Record<string, unknown> {
  const { fields } = rulesOf(inputClass);
  const values: Record<string, unknown> = {};
  for (const name of fields) if (Object.hasOwn(sent, name)) values[name] = sent[name];
  for (const name of Object.keys(sent)) {
    if (faults.length >= MAX_FAULTS) break;
    if (fields.includes(name)) continue;
    const detail = `The field is not known; known are ${fields.join(', ')}.`;
    faults.push({ detail, code: 'unknown_field', ...placeOf(name, 'field') });
  }
  return values;
}

/** A line of an import as an instance of its class, by the same rules as a body. @param faults receives its faults */
export function readFields<Fields extends object>(
  inputClass: new () => Fields,
  sent: Readonly<Record<string, unknown>>,
  faults: InputFault[],
): Fields {
  const values = takeKnown(inputClass, sent, faults);
  const valid = rulesOf(inputClass).quick.toValid(values);
  if (valid) return valid as Fields;
  const input = Object.assign(new inputClass(), values);
  addFaults(faults, validateSync(input), 'field');
  return input;
}
