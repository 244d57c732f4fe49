import { getMetadataStorage, ValidationTypes } from 'class-validator';
import type { FormRules } from './form-bodies.js';

/** The class of a part of the input. Only properties with a rule of class-validator are allowed in it. */
export type InputClass = new () => object;

type Rule = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/** The types of `@Optional()` and `@Allow()` in class-validator. */
const OPTIONAL: ReadonlySet<string> = new Set([
  ValidationTypes.CONDITIONAL_VALIDATION,
  ValidationTypes.WHITELIST,
]);

/** The rules of an input class. */
export class ClassRules {
  readonly fields: readonly string[];
  /** The fields whose text in a URL is converted to a number. */
  readonly numbers: ReadonlySet<string>;
  /** The fields whose text in a URL is split into a list; the parameter may be repeated. */
  readonly lists: ReadonlySet<string>;
  readonly forms: FormRules;
  readonly #rules: readonly Rule[];

  constructor(inputClass: Function) {
    this.#rules = getMetadataStorage().getTargetValidationMetadatas(inputClass, '', false, false);
    this.fields = this.#fieldsWith(() => true);
    this.numbers = new Set(this.#fieldsWith(({ name }) => name === 'isInt'));
    this.lists = new Set(this.#fieldsWith(({ name }) => name === 'isArray'));
    this.forms = {
      numberFields: [...this.numbers],
      emptyMeansAbsent: this.#fieldsWith(({ type }) => OPTIONAL.has(type)),
    };
  }

  /** @param name the name of a rule, such as `maxLength` */
  find(field: string, name: string): Rule | undefined {
    return this.#rules.find((rule) => rule.propertyName === field && rule.name === name);
  }

  #fieldsWith(has: (rule: Rule) => boolean): string[] {
    return [...new Set(this.#rules.filter(has).map(({ propertyName }) => propertyName))];
  }
}

const rulesByClass = new Map<Function, ClassRules>();

/** The rules of a class, cached because class-validator looks them up at each use. */
export function rulesOf(inputClass: Function): ClassRules {
  let rules = rulesByClass.get(inputClass);
  if (!rules) {
    rules = new ClassRules(inputClass);
    rulesByClass.set(inputClass, rules);
  }
  return rules;
}
