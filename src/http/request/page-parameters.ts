import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Allow } from 'class-validator';
import { IsIntegerBetween, Optional, ToInteger } from './validation.js';

export const DEFAULT_LIMIT = 100;
export const MAX_LIMIT = 1_000;

export const LIMIT_RULE = `The value must be an integer from 1 to ${MAX_LIMIT}.`;

/** The parameter of a list that says how long its pages are; {@link DEFAULT_LIMIT} without it. */
export function LimitParameter(description: string): PropertyDecorator {
  return applyDecorators(
    ToInteger(),
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

/** The parameter of a list that names a page. Which list it holds for is checked where the list is known. */
export function CursorParameter(description: string): PropertyDecorator {
  return applyDecorators(Allow(), ApiPropertyOptional({ type: String, minLength: 1, description }));
}
