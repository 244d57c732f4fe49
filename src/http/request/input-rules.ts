import { getMetadataStorage, ValidationTypes, type ValidatorConstraintInterface } from 'class-validator';
import type { FaultCode, FaultPlace, InputFault } from '../../problem-details/problem.js';

/** The class of a part of the input. Only properties with a rule of class-validator are allowed in it. */
export type InputClass = new () => object;

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
const ORDER = [...Object.keys(FAULTS), undefined];

/** What a decorator's `context` can say about its fault. */
export type FaultContext = Partial<Pick<InputFault, 'code' | 'limit'>>;

const storage = getMetadataStorage();
type Rule = ReturnType<typeof storage.getTargetValidationMetadatas>[number];

/** The canonical decimal form of an integer: `7` and `-7`, but not `07`, `+7` or `7.0`. */
const CANONICAL_INTEGER = /^(?:0|-?[1-9]\d*)$/;

/** The types of `@Optional()` and `@Allow()` in class-validator. */
const OPTIONAL: ReadonlySet<string> = new Set([
  ValidationTypes.CONDITIONAL_VALIDATION,
  ValidationTypes.WHITELIST,
]);

interface FieldRule {
  readonly rule: Rule;
  readonly validator: ValidatorConstraintInterface;
}

/** The rules of one property, in the order of {@link FAULTS}. */
interface FieldRules {
  readonly field: string;
  /** The condition of `@Optional()`. */
  readonly condition: ((input: object, value: unknown) => boolean) | undefined;
  readonly rules: readonly FieldRule[];
}

/** The rules of an input class. */
export class ClassRules {
  readonly fields: readonly string[];
  /** The fields whose text in a URL or a form is converted to a number. */
  readonly numbers: ReadonlySet<string>;
  /** The fields whose text in a URL is split into a list; the parameter may be repeated. */
  readonly lists: ReadonlySet<string>;
  readonly optional: ReadonlySet<string>;
  readonly #byField: readonly FieldRules[];

  constructor(inputClass: Function) {
    const all = storage.getTargetValidationMetadatas(inputClass, '', false, false);
    const fieldsWith = (has: (rule: Rule) => boolean): Set<string> =>
      new Set(all.filter(has).map(({ propertyName }) => propertyName));
    this.fields = [...fieldsWith(() => true)];
    this.numbers = fieldsWith(({ name }) => name === 'isInt');
    this.lists = fieldsWith(({ name }) => name === 'isArray');
    this.optional = fieldsWith(({ type }) => OPTIONAL.has(type));
    this.#byField = this.fields.map((field) => rulesOfField(field, all));
  }

  /** The value of a field from its text in a URL or a form. A text that is not a number stays, for its rule to refuse. */
  fromText(field: string, text: string): unknown {
    const isNumber = this.numbers.has(field);
    const toValue = (part: string): unknown =>
      isNumber && CANONICAL_INTEGER.test(part) ? Number(part) : part;
    return this.lists.has(field) ? text.split(',').map(toValue) : toValue(text);
  }

  /**
   * The faults of an object, at most one for each property. Not by `validateSync`, which searches the rules of all
   * classes and describes each rule before it is broken: measured, it takes six times as long.
   */
  faultsOf(input: object, place: (property: string) => FaultPlace): InputFault[] {
    const faults: InputFault[] = [];
    for (const { field, condition, rules } of this.#byField) {
      const value = (input as Readonly<Record<string, unknown>>)[field];
      if (condition && !condition(input, value)) continue;
      const broken = rules.find(
        ({ rule, validator }) =>
          !(rule.each && Array.isArray(value)
            ? value.every((entry) => validator.validate(entry, rule as never) === true)
            : validator.validate(value, rule as never)),
      );
      if (broken) faults.push({ ...faultOf(broken, value), ...place(field) });
    }
    return faults;
  }
}

function rulesOfField(field: string, all: readonly Rule[]): FieldRules {
  const ofField = all.filter(({ propertyName }) => propertyName === field);
  const conditional = ofField.find(({ type }) => type === ValidationTypes.CONDITIONAL_VALIDATION);
  const place = ({ name = '' }: Rule): number => ORDER.indexOf(name in FAULTS ? name : undefined);
  const rules = ofField
    .filter(({ type }) => type === ValidationTypes.CUSTOM_VALIDATION)
    .toSorted((a, b) => place(a) - place(b))
    .flatMap((rule) =>
      storage
        .getTargetValidatorConstraints(rule.constraintCls)
        .map(({ instance: validator }) => ({ rule, validator })),
    );
  return { field, condition: conditional?.constraints[0] as FieldRules['condition'], rules };
}

/** The fault of a value that breaks a rule. */
function faultOf(
  { rule, validator }: FieldRule,
  value: unknown,
): Pick<InputFault, 'detail' | 'code' | 'limit'> {
  const { name = '', message, constraints, context } = rule;
  if (value === undefined) return { detail: 'The field is required.', code: 'required' };
  const { code, detail, isLimit } = FAULTS[name] ?? { code: name as FaultCode };
  const constraint = constraints?.[0] as never;
  return {
    detail:
      (message as string | undefined) ??
      (detail ? detail(constraint) : validator.defaultMessage!({ value } as never)),
    code,
    limit: isLimit ? constraint : undefined,
    ...(context as FaultContext | undefined),
  };
}

const rulesByClass = new Map<Function, ClassRules>();

/** The rules of a class. */
export function rulesOf(inputClass: Function): ClassRules {
  let rules = rulesByClass.get(inputClass);
  if (!rules) {
    rules = new ClassRules(inputClass);
    rulesByClass.set(inputClass, rules);
  }
  return rules;
}
