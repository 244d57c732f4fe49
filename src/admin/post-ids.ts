import { isPostId, MAX_POST_ID } from '../posts/post-id.js';

/** How many posts a request may name. */
const MAX_POST_IDS = 1_000;

const RULE = `The value must be an array of 1 to ${MAX_POST_IDS} different integers from 1 to ${MAX_POST_ID}.`;

/** The outline of the rule for OpenAPI. */
export const POST_IDS_SCHEMA = {
  type: 'array',
  items: { type: 'integer', format: 'int64', minimum: 1, maximum: MAX_POST_ID },
  minItems: 1,
  maxItems: MAX_POST_IDS,
  uniqueItems: true,
} as const;

/** Why a value cannot be a list of posts; `undefined` when it can. */
export function postIdsFault(value: unknown): string | undefined {
  const isList =
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= MAX_POST_IDS &&
    value.every((id) => typeof id === 'number' && isPostId(String(id))) &&
    new Set(value).size === value.length;
  return isList ? undefined : RULE;
}
