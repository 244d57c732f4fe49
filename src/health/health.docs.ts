import { JSON_TYPE } from '../http/media-types.js';
import { type AnswerDocs, Documented } from '../openapi/documented.decorator.js';
import type { ResponseHeader } from '../openapi/response-headers.js';
import { HealthDto } from './health.dto.js';

export function DocumentsLiveness(): MethodDecorator {
  return Documented({
    summary: 'Tell whether the process runs',
    description: 'For whoever restarts what hangs: it asks nothing of the database.',
    answers: { 200: aHealth('It does.', { status: 'ok' }) },
  });
}

export function DocumentsReadiness(): MethodDecorator {
  return Documented({
    summary: 'Tell whether the service can be given requests',
    description:
      'For proxies and orchestrators. Nothing has to be restarted when it cannot: it recovers by itself.',
    answers: {
      200: aHealth('It can.', { status: 'ok' }),
      503: aHealth(
        'It cannot: the database does not answer, or the service is stopping.',
        { status: 'error', detail: 'The database does not answer.' },
        ['Retry-After'],
      ),
    },
  });
}

function aHealth(
  description: string,
  example: HealthDto,
  moreHeaders: readonly ResponseHeader[] = [],
): AnswerDocs {
  return {
    description,
    headers: ['Cache-Control', 'Vary', ...moreHeaders],
    content: { [JSON_TYPE]: { type: HealthDto, example } },
  };
}
