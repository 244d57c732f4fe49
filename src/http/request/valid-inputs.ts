import { getMetadataStorage, type ValidationArguments, ValidationTypes } from 'class-validator';

/** A rule of class-validator's for one property. */
interface Rule {
  readonly constraints: unknown[];
  readonly validate: (value: unknown, validation?: ValidationArguments) => unknown;
}

type RuleMetadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

interface PropertyRules {
  readonly property: string;
  /** The property is looked at if all of them hold. */
  readonly conditions: readonly ((target: object, value: unknown) => boolean)[];
  readonly rules: readonly Rule[];
}

/** Undefined where class-validator is needed. */
const rulesByClass = new Map<unknown, readonly PropertyRules[] | undefined>();

/**
 * Whether a DTO keeps all rules of its class. False may also mean that class-validator has to say.
 *
 * class-validator collects and groups the rules anew for every object, and prepares an error for every property: measured, a
 * tenth of the work of storing a post. This holds its rules against an object that most likely keeps them.
 */
export function isValid(target: object): boolean {
  const { constructor } = target;
  if (!rulesByClass.has(constructor)) rulesByClass.set(constructor, rulesOf(constructor));
  const properties = rulesByClass.get(constructor);
  return properties !== undefined && properties.every((property) => keeps(target, property));
}

function keeps(target: object, { property, conditions, rules }: PropertyRules): boolean {
  const value: unknown = target[property as keyof typeof target];
  if (!conditions.every((holds) => holds(target, value))) return true;
  const targetName = target.constructor.name;
  return rules.every(
    ({ constraints, validate }) =>
      validate(value, { targetName, property, object: target, value, constraints }) === true,
  );
}

const PLAIN_TYPES: ReadonlySet<string> = new Set([
  ValidationTypes.CUSTOM_VALIDATION,
  ValidationTypes.CONDITIONAL_VALIDATION,
  ValidationTypes.WHITELIST,
]);

/** Whether a rule is about the value of one property as it is. */
function isPlain({ type, each, validateIf }: RuleMetadata): boolean {
  return PLAIN_TYPES.has(type) && !each && validateIf === undefined;
}

function rulesOf(dtoClass: Function): readonly PropertyRules[] | undefined {
  const storage = getMetadataStorage();
  const metadata = storage.getTargetValidationMetadatas(dtoClass, '', false, false);
  // class-validator refuses what has no rule.
  if (metadata.length === 0 || !metadata.every(isPlain)) return undefined;
  const properties = Object.entries(storage.groupByPropertyName(metadata));
  return properties.map(([property, all]) => ({
    property,
    conditions: all
      .filter(({ type }) => type === ValidationTypes.CONDITIONAL_VALIDATION)
      .map(({ constraints }) => constraints[0] as PropertyRules['conditions'][number]),
    rules: all
      .filter(({ type }) => type === ValidationTypes.CUSTOM_VALIDATION)
      .flatMap(({ constraintCls, constraints }) =>
        storage.getTargetValidatorConstraints(constraintCls).map(({ instance }) => ({
          constraints,
          validate: (value, validation) => instance.validate(value, validation),
        })),
      ),
  }));
}
