import { IsListOf } from '../http/request/validation.js';
import { MAX_POST_ID, POST_ID_NUMBER_RULES } from '../posts/post-id.js';

/** The most posts that a request may name. */
const MAX_POST_IDS = 1_000;

/** The OpenAPI schema of the rule. */
export const POST_IDS_SCHEMA = {
  type: 'array',
  items: { type: 'integer', minimum: 1, maximum: MAX_POST_ID },
  minItems: 1,
  maxItems: MAX_POST_IDS,
  uniqueItems: true,
} as const;

/** Validates a list of distinct post ids. */
export function ArePostIds(): PropertyDecorator {
  return IsListOf(
    POST_ID_NUMBER_RULES,
    `The value must be an array of 1 to ${MAX_POST_IDS} different integers from 1 to ${MAX_POST_ID}.`,
    MAX_POST_IDS,
  );
}
