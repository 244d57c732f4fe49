import type { Type } from '@nestjs/common';
import { JSON_TYPE } from '../http/media-types.js';
import { LIMIT_RULE } from '../http/page-parameters.js';
import type { Parameter } from '../openapi/document-types.js';
import type { AnswerDocs, MediaDocs } from '../openapi/documented.decorator.js';
import { InvalidRequest } from '../problem-details/problems.js';

export const FAULTY_LIST_QUERY = new InvalidRequest([{ detail: LIMIT_RULE, parameter: 'limit' }]);

/** The id in a path. */
export function idParameter(description: string): Parameter {
  const schema: Parameter['schema'] = { type: 'integer', format: 'int64', minimum: 1, examples: [1] };
  return { name: 'id', in: 'path', required: true, description, schema };
}

/** What is answered as JSON, and not to be kept. Without an example, that of the schema is shown. */
export function aJson(description: string, type: MediaDocs['type'], example?: unknown): AnswerDocs {
  return {
    description,
    headers: ['Cache-Control', 'Vary', 'Content-Encoding'],
    content: { [JSON_TYPE]: { type, ...(example !== undefined && { example }) } },
  };
}

/** The same of what was made, with the place where it is. */
export function aCreation(docs: AnswerDocs): AnswerDocs {
  return { ...docs, headers: ['Location', ...docs.headers!] };
}

/** A page of a list, with links to its neighbours. */
export function aList(description: string, item: Type, examples: readonly object[]): AnswerDocs {
  const docs = aJson(description, [item], examples);
  return { ...docs, headers: ['Link', ...docs.headers!] };
}
