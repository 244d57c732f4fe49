/// <reference lib="es2024.string" />
import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ValidateBy, ValidateIf } from 'class-validator';

/**
 * A validator for properties of DTOs. Where several of a property's fail, the fault is told by the first of them.
 *
 * @param name in class-validator's style
 * @param isValid tells for any value whether it keeps the rule
 * @param detail what the fault says
 */
export function validator(
  name: string,
  isValid: (value: unknown) => boolean,
  detail: string | ((value: unknown) => string),
): PropertyDecorator {
  return ValidateBy({
    name,
    validator: {
      validate: isValid,
      defaultMessage: (validation) => (typeof detail === 'string' ? detail : detail(validation?.value)),
    },
  });
}

/** A validator for texts; what is no text is another's fault. */
export function textValidator(
  name: string,
  isValid: (text: string) => boolean,
  detail: string,
): PropertyDecorator {
  return validator(name, (value) => typeof value !== 'string' || isValid(value), detail);
}

/** The property may be left out; null does not leave it out. All others are required. */
export function Optional(): PropertyDecorator {
  return ValidateIf((_dto, value) => value !== undefined);
}

export function IsString(): PropertyDecorator {
  return validator('isString', (value) => typeof value === 'string', 'The value must be a string.');
}

export function IsBoolean(): PropertyDecorator {
  return validator('isBoolean', (value) => typeof value === 'boolean', 'The value must be true or false.');
}

export function IsOneOf(values: readonly unknown[]): PropertyDecorator {
  const detail = `The value must be one of ${values.join(', ')}.`;
  return validator('isOneOf', (value) => values.includes(value), detail);
}

/** @param detail when it is not `The value must be an integer from min to max.` */
export function IsIntegerBetween(min: number, max: number, detail?: string): PropertyDecorator {
  return validator(
    'isIntegerBetween',
    (value) => Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max,
    detail ?? `The value must be an integer from ${min} to ${max}.`,
  );
}

/** @param detail when it is not about a `value` */
export function MaxCodePoints(
  max: number,
  detail = `The value must have at most ${max} characters.`,
): PropertyDecorator {
  return textValidator('maxCodePoints', (text) => !isLongerThan(text, max), detail);
}

/** A text that both databases hold exactly as it is. */
export function IsStorable(): PropertyDecorator {
  return applyDecorators(
    textValidator(
      'hasNoNull',
      (text) => !text.includes('\0'),
      'The text must not contain U+0000 (the null character).',
    ),
    textValidator(
      'isWellFormed',
      (text) => text.isWellFormed(),
      'The text must not contain a lone surrogate (half of a UTF-16 pair).',
    ),
  );
}

/** A canonical decimal of a query becomes its number; what is none stays as it is, for a validator to refuse. */
export function ToInteger(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^(?:0|[1-9]\d{0,15})$/.test(value) ? Number(value) : value,
  );
}

/** A comma-separated list of a query becomes its parts. The property is an array, so the parameter may be repeated. */
export function SplitList(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.split(',') : value));
}

/** Counts in Unicode code points, each of which is one UTF-16 unit or two; so most texts need no count. */
export function isLongerThan(text: string, codePoints: number): boolean {
  if (text.length <= codePoints) return false;
  return text.length > 2 * codePoints || Array.from(text).length > codePoints;
}
