/// <reference lib="es2024.string" />
import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { Allow, ValidateBy, ValidateIf } from 'class-validator';
import type { FaultCode } from '../../problem-details/problem.js';
import { isLongerThan } from '../../settings/credential-rules.js';

/**
 * A validator for properties of DTOs. When several validators of a property fail, the first one gives the fault.
 *
 * @param code the code of the fault, also used as the validator's name
 * @param isValid whether a value of any type keeps the rule
 * @param detail the text of the fault
 * @param limit the limit in the fault: a maximum or a minimum
 */
export function validator(
  code: FaultCode,
  isValid: (value: unknown) => boolean,
  detail: string | ((value: unknown) => string),
  limit?: number,
): PropertyDecorator {
  return ValidateBy(
    {
      name: code,
      validator: {
        validate: isValid,
        defaultMessage: (validation) => (typeof detail === 'string' ? detail : detail(validation?.value)),
      },
    },
    limit === undefined ? {} : { context: { limit } },
  );
}

/** A validator for texts. It accepts other types, which another validator reports. */
export function textValidator(
  code: FaultCode,
  isValid: (text: string) => boolean,
  detail: string,
  limit?: number,
): PropertyDecorator {
  return validator(code, (value) => typeof value !== 'string' || isValid(value), detail, limit);
}

/** Makes the property optional: undefined is allowed, null is not. All other properties are required. */
export function Optional(): PropertyDecorator {
  return ValidateIf((_dto, value) => value !== undefined);
}

export function IsString(): PropertyDecorator {
  return validator('not_a_string', (value) => typeof value === 'string', 'The value must be a string.');
}

export function IsBoolean(): PropertyDecorator {
  return validator(
    'not_a_boolean',
    (value) => typeof value === 'boolean',
    'The value must be true or false.',
  );
}

export function IsOneOf(values: readonly unknown[]): PropertyDecorator {
  const detail = `The value must be one of ${values.join(', ')}.`;
  return validator('not_one_of', (value) => values.includes(value), detail);
}

/** @param detail replaces the default text of the fault */
export function IsIntegerBetween(
  min: number,
  max: number,
  detail = `The value must be an integer from ${min} to ${max}.`,
): PropertyDecorator {
  return applyDecorators(
    validator('not_an_integer', (value) => Number.isInteger(value), detail),
    validator('out_of_range', (value) => (value as number) >= min && (value as number) <= max, detail, max),
  );
}

/** A rule for a value or for each entry of a list, with the code and the limit of its fault. */
export interface ValueRule {
  readonly code: FaultCode;
  readonly isValid: (value: unknown) => boolean;
  readonly limit?: number;
}

/** An array of distinct entries. @param detail the text of the fault, whichever rule is broken */
export function IsListOf(
  entryRules: readonly ValueRule[],
  detail: string,
  maxEntries = Infinity,
): PropertyDecorator {
  const arrayValidator = (
    code: FaultCode,
    isValid: (entries: readonly unknown[]) => boolean,
    limit?: number,
  ): PropertyDecorator =>
    validator(code, (value) => !Array.isArray(value) || isValid(value as unknown[]), detail, limit);
  return applyDecorators(
    validator('not_an_array', Array.isArray, detail),
    arrayValidator('blank', ({ length }) => length > 0),
    arrayValidator('too_many', ({ length }) => length <= maxEntries, maxEntries),
    ...entryRules.map(({ code, isValid, limit }) =>
      arrayValidator(code, (entries) => entries.every(isValid), limit),
    ),
    arrayValidator('repeated', (entries) => new Set(entries).size === entries.length),
  );
}

/** @param detail replaces the default text of the fault */
export function MaxCodePoints(
  max: number,
  detail = `The value must have at most ${max} characters.`,
): PropertyDecorator {
  return textValidator('too_long', (text) => !isLongerThan(text, max), detail, max);
}

/** Whether both databases store the text unchanged. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Requires a text that {@link isStorable}. */
export function IsStorable(): PropertyDecorator {
  return applyDecorators(
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

/** The canonical decimal form of an integer: `7` and `-7`, but not `07`, `+7` or `7.0`. */
export const CANONICAL_INTEGER = /^(?:0|-?[1-9]\d*)$/;

export const DEFAULT_LIMIT = 100;
export const MAX_LIMIT = 1_000;

export const LIMIT_RULE = `The value must be an integer from 1 to ${MAX_LIMIT}.`;

/** The page size parameter of a list; {@link DEFAULT_LIMIT} when it is absent. */
export function LimitParameter(description: string): PropertyDecorator {
  return applyDecorators(
    Optional(),
    IsIntegerBetween(1, MAX_LIMIT),
    ApiPropertyOptional({
      type: 'integer',
      minimum: 1,
      maximum: MAX_LIMIT,
      default: DEFAULT_LIMIT,
      description,
    }),
  );
}

/** The cursor parameter of a list. The list itself checks whether the cursor belongs to it. */
export function CursorParameter(description: string): PropertyDecorator {
  return applyDecorators(Allow(), ApiPropertyOptional({ type: String, minLength: 1, description }));
}

/** A numeric id in a path. An invalid one gives 404. */
export function IdPath(options: ApiPropertyOptions): PropertyDecorator {
  return applyDecorators(
    IsIntegerBetween(1, Number.MAX_SAFE_INTEGER),
    ApiProperty({ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, ...options }),
  );
}

/** The path of a file. The handler checks whether the file exists. */
export class FilePath {
  @IsString()
  name!: string;
}
