import { JSON_TYPE } from '../http/media-types.js';
import { Documented } from '../openapi/documented.decorator.js';
import { UNKNOWN_PARAMETER } from '../openapi/problem-samples.js';
import { EntryPointDto } from './entry-point.dto.js';

export function DocumentsEntryPoint(): MethodDecorator {
  return Documented({
    summary: 'Find the collections',
    description:
      'Where a client starts. `Link` names this description (`service-desc`) and this page (`service-doc`).',
    representation: {
      description: 'Where the collections are.',
      headers: ['Link'],
      content: { [JSON_TYPE]: { type: EntryPointDto } },
    },
    problems: { unknownParameter: UNKNOWN_PARAMETER },
  });
}
