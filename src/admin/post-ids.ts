import { validator } from '../http/request/validation.js';
import { isPostIdNumber, MAX_POST_ID } from '../posts/post-id.js';

/** How many posts a request may name. */
const MAX_POST_IDS = 1_000;

/** The outline of the rule for OpenAPI. */
export const POST_IDS_SCHEMA = {
  type: 'array',
  items: { type: 'integer', minimum: 1, maximum: MAX_POST_ID },
  minItems: 1,
  maxItems: MAX_POST_IDS,
  uniqueItems: true,
} as const;

/** A list of different posts. */
export function ArePostIds(): PropertyDecorator {
  return validator(
    'arePostIds',
    (value) =>
      Array.isArray(value) &&
      value.length > 0 &&
      value.length <= MAX_POST_IDS &&
      value.every(isPostIdNumber) &&
      new Set(value).size === value.length,
    `The value must be an array of 1 to ${MAX_POST_IDS} different integers from 1 to ${MAX_POST_ID}.`,
  );
}
