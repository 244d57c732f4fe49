import { ValidateBy } from 'class-validator';

/** Tells what is wrong with a value, in words; undefined when nothing is. */
export type Rule = (value: unknown) => string | undefined;

/** A rule of a DTO's property. One rule a property, so that each fault is reported once, in its own words. */
export function Satisfies(rule: Rule): PropertyDecorator {
  return ValidateBy({
    name: 'satisfies',
    validator: {
      validate: (value) => rule(value) === undefined,
      defaultMessage: (validation) => rule(validation?.value) ?? '',
    },
  });
}

/** A rule of what must be there. */
export function required(rule: Rule): Rule {
  return (value) => (value === undefined ? 'The field is required.' : rule(value));
}

/** A rule of what may be left out. */
export function optional(rule: Rule): Rule {
  return (value) => (value === undefined ? undefined : rule(value));
}

/** A rule of a text; nothing else keeps it. */
export function text(fault: (value: string) => string | undefined): Rule {
  return (value) => (typeof value === 'string' ? fault(value) : 'The value must be a string.');
}

/** A rule by what tells whether it is kept, and the words for when it is not. */
export function matching<Value>(isKept: (value: Value) => boolean, words: string): Rule {
  return (value) => (isKept(value as Value) ? undefined : words);
}

/** A rule of a value that is one of a few. */
export function oneOf(allowed: readonly unknown[]): Rule {
  return matching((value) => allowed.includes(value), `The value must be one of ${allowed.join(', ')}.`);
}
