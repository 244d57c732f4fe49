import { validateSync, type ValidationError } from 'class-validator';
import { type FaultCode, type FaultPlace, type InputFault, pointerTo } from '../problem-details/problem.js';
import { rulesOf } from './input-rules.js';

/** A request may have thousands of unknown parameters or fields. */
export const MAX_FAULTS = 100;

/**
 * The faults of class-validator's rules, by the names of the rules. Of several broken rules of a property, the first in
 * this list gives the fault; its text replaces that of class-validator. A rule with another name has the code of its
 * fault as its name, unless it is one of class-validator's own.
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
const place = (rule: string): number => (ORDER.includes(rule) ? ORDER.indexOf(rule) : ORDER.length);

/** What a decorator's `context` can say about its fault. */
export type FaultContext = Partial<Pick<InputFault, 'code' | 'limit'>>;

/** One fault for each property that breaks a rule, and for the properties in it. @param prefix of their JSON pointers */
export function faultsOf(errors: readonly ValidationError[], prefix = ''): InputFault[] {
  return errors.flatMap(({ property, value, constraints, contexts, children }) => {
    const pointer = prefix + pointerTo(property);
    const inner = faultsOf(children ?? [], pointer);
    if (!constraints) return inner;
    const [rule] = Object.keys(constraints).toSorted((a, b) => place(a) - place(b));
    const context = contexts?.[rule!] as FaultContext | undefined;
    const { code, detail } = FAULTS[rule!] ?? {
      code: rule!.includes('_') ? (rule as FaultCode) : 'malformed',
    };
    // The default of `@IsIn()` in class-validator.
    const own = constraints[rule!]!.replace(
      /^.* must be one of the following values: (.*)$/,
      'The value must be one of $1.',
    );
    const fault: InputFault =
      value === undefined && rule !== 'whitelistValidation'
        ? { detail: 'The field is required.', code: 'required', pointer }
        : { detail: detail ?? own, code, pointer, ...context };
    return [fault, ...inner];
  });
}

/** The fields that a class knows, as they are, and the faults of the others. */
export function takeKnown(
  inputClass: Function,
  sent: Readonly<Record<string, unknown>>,
): { values: Record<string, unknown>; faults: InputFault[] } {
  const { fields } = rulesOf(inputClass);
  const values: Record<string, unknown> = {};
  const faults: InputFault[] = [];
  for (const name of Object.keys(sent)) {
    if (fields.includes(name)) {
      values[name] = sent[name];
    } else if (faults.length < MAX_FAULTS) {
      const detail = `The field is not known; known are ${fields.join(', ')}.`;
      faults.push({ detail, code: 'unknown_field', pointer: pointerTo(name) });
    }
  }
  return { values, faults };
}

/** A line of an import as an instance of its class, by the same rules as a body. @param faults receives its faults */
export function readFields<Fields extends object>(
  inputClass: new () => Fields,
  sent: Readonly<Record<string, unknown>>,
  faults: InputFault[],
): Fields {
  const { values, faults: unknown } = takeKnown(inputClass, sent);
  const input = Object.assign(new inputClass(), values);
  faults.push(...unknown, ...faultsOf(validateSync(input)));
  return input;
}

/** The place of a fault in the query. */
export function asParameter({ pointer, ...fault }: InputFault & { pointer: string }): InputFault {
  return { ...fault, parameter: pointer.slice(1) } satisfies FaultPlace;
}
