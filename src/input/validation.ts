/// <reference lib="es2024.string" />
import { applyDecorators } from '@nestjs/common';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsInt,
  Max,
  Min,
  ValidateBy,
  ValidateIf,
  type ValidationOptions,
} from 'class-validator';
import type { FaultCode } from '../problem-details/index.js';
import { isLongerThan } from '../text/code-points.js';

/**
 * Makes the property optional. All other properties are required.
 *
 * @param nullable null means the same as undefined, so that what was read can be sent back; by default it is a fault
 */
export function Optional({ nullable = false } = {}): PropertyDecorator {
  return ValidateIf((_dto, value) => value !== undefined && !(nullable && value === null));
}

/**
 * A rule for texts that class-validator does not have. It accepts other types, which another rule reports. For
 * class-validator's own rules see input-faults.ts.
 *
 * @param code the code of the fault, also used as the name of the rule
 * @param detail the text of the fault
 */
export function textValidator(
  code: FaultCode,
  isValid: (text: string) => boolean,
  detail: string,
  limit?: number,
): PropertyDecorator {
  const validate = (value: unknown): boolean => typeof value !== 'string' || isValid(value);
  return ValidateBy(
    { name: code, validator: { validate } },
    { message: detail, context: { code, ...(limit !== undefined && { limit }) } },
  );
}

/** Like `MaxLength()`, which counts UTF-16 units. */
export function MaxCodePoints(
  max: number,
  message = `The value must have at most ${max} characters.`,
): PropertyDecorator {
  const validate = (value: unknown): boolean => typeof value !== 'string' || !isLongerThan(value, max);
  return ValidateBy({ name: 'maxCodePoints', validator: { validate } }, { message, context: { limit: max } });
}

/** @param detail replaces the default text of the fault */
export function IsIntegerBetween(
  min: number,
  max: number,
  detail = `The value must be an integer from ${min} to ${max}.`,
  options: ValidationOptions = {},
): PropertyDecorator {
  const all = { ...options, message: detail };
  const limited = { ...all, context: { limit: max } };
  return applyDecorators(IsInt(all), Min(min, limited), Max(max, limited));
}

const areDistinct = (value: unknown): boolean =>
  !Array.isArray(value) || new Set(value).size === value.length;

/** class-validator's `ArrayUnique()` compares each entry with each: 0.6 s for 29,000 texts. */
function AreDistinct(options: ValidationOptions): PropertyDecorator {
  return ValidateBy({ name: 'arrayUnique', validator: { validate: areDistinct } }, options);
}

/** An array of distinct entries. @param detail the text of the fault, whichever rule is broken */
export function IsListOf(
  entry: (options: ValidationOptions) => PropertyDecorator,
  detail: string,
  maxEntries = Infinity,
): PropertyDecorator {
  const options = { message: detail };
  return applyDecorators(
    IsArray(options),
    ArrayNotEmpty(options),
    ArrayMaxSize(maxEntries, { ...options, context: { limit: maxEntries } }),
    entry({ ...options, each: true }),
    AreDistinct(options),
  );
}

/** Requires a text that both databases store unchanged. */
export function IsStorable(): PropertyDecorator {
  return applyDecorators(
    // `NotContains()` takes 0.5 s for 16 MiB of U+0000.
    textValidator(
      'null_character',
      (text) => !text.includes('\0'),
      'The text must not contain U+0000 (the null character).',
    ),
    textValidator(
      'lone_surrogate',
      (text) => text.isWellFormed(),
      'The text must not contain a lone surrogate (half of a UTF-16 pair).',
    ),
  );
}
