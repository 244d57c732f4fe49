// oxlint-disable-next-line triple-slash-reference -- the pages have TypeScript projects of their own
/// <reference path="class-transformer-storage.d.ts" />
import { TransformationType } from 'class-transformer';
import { defaultMetadataStorage as transformations } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage, ValidationTypes, type ValidatorConstraintInterface } from 'class-validator';

const storage = getMetadataStorage();
export type Rule = ReturnType<typeof storage.getTargetValidationMetadatas>[number];

type Values = Readonly<Record<string, unknown>>;
type Condition = (input: object, value: unknown) => boolean;

/** A rule with the validators that class-validator runs for it. */
interface Check {
  readonly rule: Rule;
  readonly validators: readonly ValidatorConstraintInterface[];
}

/** The rules of one field. */
interface FieldRules {
  /** The conditions of `@Optional()`. When one does not hold, the value needs no checks. */
  readonly conditions: readonly Condition[];
  readonly checks: readonly Check[];
}

/**
 * Runs the rules of class-validator without the errors that it prepares for each field of each input, and without
 * class-transformer's copy. Measured, the two take a sixth of the time of a list. This works for flat classes only: their
 * rules concern their own fields, and no field is transformed.
 */
export class QuickRules {
  readonly #fields: ReadonlyMap<string, FieldRules> | undefined;

  constructor(
    private readonly inputClass: Function,
    rules: readonly Rule[],
  ) {
    const fields = [...new Set(rules.map(({ propertyName }) => propertyName))];
    const isFlat = rules.every(isFlatRule) && !fields.some((field) => isTransformed(inputClass, field));
    if (isFlat) this.#fields = new Map(fields.map((field) => [field, fieldRules(field, rules)]));
  }

  /** @returns an instance with these values; undefined if it breaks a rule, or if only class-validator can tell */
  toValid(values: Values): object | undefined {
    if (!this.#fields) return undefined;
    const input = Object.assign(Reflect.construct(this.inputClass, []) as Record<string, unknown>, values);
    for (const name of Object.keys(input)) if (!this.#fields.has(name)) return undefined;
    for (const [field, rules] of this.#fields) {
      if (!keeps(input, field, input[field], rules)) return undefined;
    }
    return input;
  }
}

/** A validator that returns a promise does not count as kept: class-validator waits for it. */
function keeps(input: object, property: string, value: unknown, { conditions, checks }: FieldRules): boolean {
  for (const holds of conditions) if (!holds(input, value)) return true;
  const targetName = input.constructor.name;
  for (const { rule, validators } of checks) {
    const context = { value, constraints: rule.constraints, targetName, object: input, property };
    const checked: readonly unknown[] = rule.each && Array.isArray(value) ? value : [value];
    for (const validator of validators) {
      for (const entry of checked) if (validator.validate(entry, context) !== true) return false;
    }
  }
  return true;
}

function isFlatRule({ type, validateIf, groups }: Rule): boolean {
  const types: readonly string[] = [
    ValidationTypes.CUSTOM_VALIDATION,
    ValidationTypes.CONDITIONAL_VALIDATION,
    ValidationTypes.WHITELIST,
  ];
  return types.includes(type) && validateIf === undefined && !(groups?.length > 0);
}

/** Whether class-transformer does more with the field than to copy it. */
function isTransformed(inputClass: Function, field: string): boolean {
  const { PLAIN_TO_CLASS } = TransformationType;
  return (
    transformations.getStrategy(inputClass) !== 'none' ||
    transformations.findTypeMetadata(inputClass, field) !== undefined ||
    transformations.findExposeMetadata(inputClass, field) !== undefined ||
    transformations.findExcludeMetadata(inputClass, field) !== undefined ||
    transformations.findTransformMetadatas(inputClass, field, PLAIN_TO_CLASS).length > 0
  );
}

function fieldRules(field: string, rules: readonly Rule[]): FieldRules {
  const own = rules.filter(({ propertyName }) => propertyName === field);
  const ofType = (wanted: string): Rule[] => own.filter(({ type }) => type === wanted);
  return {
    conditions: ofType(ValidationTypes.CONDITIONAL_VALIDATION).map(
      ({ constraints }) => constraints[0] as Condition,
    ),
    checks: ofType(ValidationTypes.CUSTOM_VALIDATION).map((rule) => ({
      rule,
      validators: storage.getTargetValidatorConstraints(rule.constraintCls).map(({ instance }) => instance),
    })),
  };
}
