import { validateSync } from 'class-validator';
import type { FaultCode, FaultPlace, InputFault } from '../../problem-details/problem.js';
import { rulesOf } from './input-rules.js';

interface FaultOfRule {
  readonly code: FaultCode;
  /** The text of the fault, unless the decorator has a message. */
  readonly detail?: (constraint: never) => string;
  /** Whether the constraint is the `limit` of the fault. */
  readonly isLimit?: true;
}

/**
 * The faults of class-validator's rules, by the names of the rules. Of several broken rules of a property, the first in
 * this list gives the fault. A rule with another name has the code of its fault as its name.
 */
const FAULTS: Readonly<Record<string, FaultOfRule>> = {
  isString: { code: 'not_a_string', detail: () => 'The value must be a string.' },
  isBoolean: { code: 'not_a_boolean', detail: () => 'The value must be true or false.' },
  isArray: { code: 'not_an_array' },
  arrayNotEmpty: { code: 'blank' },
  arrayMaxSize: { code: 'too_many', isLimit: true },
  isInt: { code: 'not_an_integer' },
  min: { code: 'out_of_range' },
  max: { code: 'out_of_range', isLimit: true },
  isIn: {
    code: 'not_one_of',
    detail: (values: readonly unknown[]) => `The value must be one of ${values.join(', ')}.`,
  },
  arrayUnique: { code: 'repeated' },
  maxCodePoints: {
    code: 'too_long',
    detail: (max: number) => `The value must have at most ${max} characters.`,
    isLimit: true,
  },
  matches: { code: 'malformed' },
};
const ORDER = Object.keys(FAULTS);

/** What a decorator's `context` can say about its fault. */
export type FaultContext = Partial<Pick<InputFault, 'code' | 'limit'>>;

/** The faults of an object by the rules of its class, one for each property. */
export function validate(target: object, place: (property: string) => FaultPlace): InputFault[] {
  const rules = rulesOf(target.constructor);
  if (rules.areKeptBy(target)) return [];
  return validateSync(target).map(({ property, value, constraints = {}, contexts = {} }) => {
    if (value === undefined) {
      return { detail: 'The field is required.', code: 'required', ...place(property) };
    }
    const broken = Object.keys(constraints);
    const name = ORDER.find((each) => each in constraints) ?? broken[0]!;
    const { code, detail, isLimit } = FAULTS[name] ?? { code: name as FaultCode };
    const rule = rules.all.find((each) => each.propertyName === property && each.name === name);
    const constraint = rule?.constraints?.[0] as never;
    return {
      detail: rule?.message === undefined && detail ? detail(constraint) : constraints[name]!,
      code,
      limit: isLimit ? constraint : undefined,
      ...(contexts[name] as FaultContext | undefined),
      ...place(property),
    };
  });
}
