import type { Type } from '@nestjs/common';
import { JSON_TYPE } from '../http/media-types.js';
import { LIMIT_RULE } from '../http/page-parameters.js';
import type { AnswerDocs, MediaDocs } from '../openapi/documented.decorator.js';
import { InvalidRequest } from '../problem-details/problems.js';
import { JSON_ANSWER_HEADERS } from './json-answers.js';

export const FAULTY_LIST_QUERY = new InvalidRequest([{ detail: LIMIT_RULE, parameter: 'limit' }]);

/** What is answered as JSON, and not to be kept. */
export function aJson(description: string, type: MediaDocs['type'], example: unknown): AnswerDocs {
  return {
    description,
    headers: JSON_ANSWER_HEADERS,
    content: { [JSON_TYPE]: { type, example } },
  };
}

/** A page of a list, with links to its neighbours. */
export function aList(description: string, item: Type, examples: readonly object[]): AnswerDocs {
  const docs = aJson(description, [item], examples);
  return { ...docs, headers: ['Link', ...docs.headers!] };
}
