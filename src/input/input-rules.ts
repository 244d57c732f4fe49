import { getMetadataStorage, ValidationTypes } from 'class-validator';
import { QuickRules, type Rule } from './quick-rules.js';

/** The class of a part of the input. Only properties with a rule of class-validator are allowed in it. */
export type InputClass = new () => object;

const storage = getMetadataStorage();

/** The canonical decimal form of an integer: `7` and `-7`, but not `07`, `+7` or `7.0`. */
const CANONICAL_INTEGER = /^(?:0|-?[1-9]\d*)$/;

/** The types of `@Optional()` and `@Allow()` in class-validator. */
const OPTIONAL: ReadonlySet<string> = new Set([
  ValidationTypes.CONDITIONAL_VALIDATION,
  ValidationTypes.WHITELIST,
]);

/** How the properties of an input class are read, by the decorators of its rules. class-validator runs the rules. */
export class ClassRules {
  readonly fields: readonly string[];
  /** The fields whose text in a URL or a form is converted to a number. */
  readonly numbers: ReadonlySet<string>;
  /** The fields whose text in a URL is split into a list; the parameter may be repeated. */
  readonly lists: ReadonlySet<string>;
  readonly optional: ReadonlySet<string>;
  readonly quick: QuickRules;

  constructor(inputClass: Function) {
    const all = storage.getTargetValidationMetadatas(inputClass, '', false, false);
    const fieldsWith = (has: (rule: Rule) => boolean): Set<string> =>
      new Set(all.filter(has).map(({ propertyName }) => propertyName));
    this.fields = [...fieldsWith(() => true)];
    this.numbers = fieldsWith(({ name }) => name === 'isInt');
    this.lists = fieldsWith(({ name }) => name === 'isArray');
    this.optional = fieldsWith(({ type }) => OPTIONAL.has(type));
    this.quick = new QuickRules(inputClass, all);
  }

  /** The value of a field from its text in a URL or a form. A text that is not a number stays, for its rule to refuse. */
  fromText(field: string, text: string): unknown {
    const isNumber = this.numbers.has(field);
    const toValue = (part: string): unknown =>
      isNumber && CANONICAL_INTEGER.test(part) ? Number(part) : part;
    return this.lists.has(field) ? text.split(',').map(toValue) : toValue(text);
  }
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
