import { getMetadataStorage, ValidationTypes } from 'class-validator';
import type { FaultCode } from '../../problem-details/problem.js';
import type { FormRules } from './form-bodies.js';

/** The class of a part of the input. Only properties with a rule of class-validator are allowed in it. */
export type InputClass = new () => object;

/** The cached rules of a class. class-validator looks them up at each use, which is slow. */
interface ClassRules {
  readonly fields: readonly string[];
  /** The fields whose text in a URL is converted to a number. */
  readonly numbers: ReadonlySet<string>;
  /** The fields whose text in a URL is split into a list; the parameter may be repeated. */
  readonly lists: ReadonlySet<string>;
  /** Undefined when the class needs class-validator itself. */
  readonly checks: readonly PropertyCheck[] | undefined;
}

type RuleMetadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/** Whether one property keeps its rules. */
type PropertyCheck = (target: object) => boolean;
type Condition = (target: object, value: unknown) => boolean;

const rulesByClass = new Map<Function, ClassRules>();

export function rulesOf(inputClass: Function): ClassRules {
  let rules = rulesByClass.get(inputClass);
  if (!rules) {
    const all = metadataOf(inputClass);
    const namesWith = (code: FaultCode): ReadonlySet<string> =>
      new Set(all.filter(({ name }) => name === code).map(({ propertyName }) => propertyName));
    rules = {
      fields: [...new Set(all.map(({ propertyName }) => propertyName))],
      numbers: namesWith('not_an_integer'),
      lists: namesWith('not_an_array'),
      checks: checksOf(all),
    };
    rulesByClass.set(inputClass, rules);
  }
  return rules;
}

/** The type information that a form needs for the fields of a body, because it contains only text. */
export function formRulesOf(bodyClass: InputClass): FormRules {
  const { fields } = rulesOf(bodyClass);
  const optional = metadataOf(bodyClass).filter(({ type }) => OPTIONAL.has(type));
  return {
    numberFields: fields.filter(
      (field) => Reflect.getMetadata('design:type', bodyClass.prototype as object, field) === Number,
    ),
    emptyMeansAbsent: fields.filter((field) => optional.some(({ propertyName }) => propertyName === field)),
  };
}

/**
 * Whether a DTO keeps all rules of its class. False may also mean that class-validator must decide. class-validator
 * collects and groups the rules for every object and prepares an error for every property: measured, a tenth of the
 * work of storing a post.
 */
export function isValid(target: object): boolean {
  return rulesOf(target.constructor).checks?.every((holds) => holds(target)) === true;
}

/** The types of `@Optional()` and `@Allow()` in class-validator. */
const OPTIONAL: ReadonlySet<string> = new Set([
  ValidationTypes.CONDITIONAL_VALIDATION,
  ValidationTypes.WHITELIST,
]);

/** Whether a rule depends only on the value of one property. */
function isPlain({ type, each, validateIf }: RuleMetadata): boolean {
  const isKnown = type === ValidationTypes.CUSTOM_VALIDATION || OPTIONAL.has(type);
  return isKnown && !each && validateIf === undefined;
}

function checksOf(metadata: RuleMetadata[]): readonly PropertyCheck[] | undefined {
  // class-validator rejects objects of a class without rules.
  if (metadata.length === 0 || !metadata.every(isPlain)) return undefined;
  const storage = getMetadataStorage();
  return Object.entries(storage.groupByPropertyName(metadata)).map(([property, all]) => {
    const conditions = all
      .filter(({ type }) => type === ValidationTypes.CONDITIONAL_VALIDATION)
      .map(({ constraints }) => constraints[0] as Condition);
    const rules = all
      .filter(({ type }) => type === ValidationTypes.CUSTOM_VALIDATION)
      .flatMap(({ constraintCls, constraints }) =>
        storage
          .getTargetValidatorConstraints(constraintCls)
          .map(({ instance }) => ({ instance, constraints })),
      );
    return (target) => {
      const value: unknown = target[property as keyof typeof target];
      if (!conditions.every((holds) => holds(target, value))) return true;
      const targetName = target.constructor.name;
      return rules.every(
        ({ instance, constraints }) =>
          instance.validate(value, { targetName, property, object: target, value, constraints }) === true,
      );
    };
  });
}

function metadataOf(inputClass: Function): RuleMetadata[] {
  return getMetadataStorage().getTargetValidationMetadatas(inputClass, '', false, false);
}
