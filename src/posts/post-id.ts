import { applyDecorators } from '@nestjs/common';
import { CANONICAL_INTEGER, type ValueRule, validator } from '../http/request/validation.js';

/** The largest id: the largest integer that every JSON parser represents exactly. */
export const MAX_POST_ID = Number.MAX_SAFE_INTEGER;

/** The rule in words, for error messages. */
export const POST_ID_RULE = `must be an integer from 1 to ${MAX_POST_ID}, without leading zeros`;

/** Whether the text is an id in canonical decimal form: `7`, but not `07`, `+7` or `7.0`. */
export function isPostId(text: string): boolean {
  return /^[1-9]\d{0,15}$/.test(text) && Number(text) <= MAX_POST_ID;
}

function isPostIdNumber(value: unknown): boolean {
  return typeof value === 'number' && isPostId(String(value));
}

/** The rules for an id as text in canonical decimal form. */
export const POST_ID_TEXT_RULES: readonly ValueRule[] = [
  { code: 'not_an_integer', isValid: (id) => typeof id === 'string' && CANONICAL_INTEGER.test(id) },
  { code: 'out_of_range', isValid: (id) => typeof id === 'string' && isPostId(id), limit: MAX_POST_ID },
];

/** The rules for an id as a number. */
export const POST_ID_NUMBER_RULES: readonly ValueRule[] = [
  { code: 'not_an_integer', isValid: Number.isInteger },
  { code: 'out_of_range', isValid: isPostIdNumber, limit: MAX_POST_ID },
];

/** Requires an id as a number. @param what the subject of the error message */
export function IsPostIdNumber(what: 'id' | 'value'): PropertyDecorator {
  const detail = `The ${what} ${POST_ID_RULE}.`;
  return applyDecorators(
    ...POST_ID_NUMBER_RULES.map(({ code, isValid, limit }) => validator(code, isValid, detail, limit)),
  );
}
