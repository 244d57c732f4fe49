import { ValidateBy } from 'class-validator';

/**
 * A rule of a DTO's property: the function tells what is wrong with a value, or undefined. One rule a property, so that
 * each fault is reported once, in its own words.
 */
export function Satisfies(fault: (value: unknown) => string | undefined): PropertyDecorator {
  return ValidateBy({
    name: 'satisfies',
    validator: {
      validate: (value) => fault(value) === undefined,
      defaultMessage: (validation) => fault(validation?.value) ?? '',
    },
  });
}
