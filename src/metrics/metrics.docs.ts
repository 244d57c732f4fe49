import { PROMETHEUS_TYPE } from '../http/media-types.js';
import { Documented } from '../openapi/documented.decorator.js';

export function DocumentsMetrics(): MethodDecorator {
  return Documented({
    summary: 'Show the numbers by which the service is watched',
    description: 'For Prometheus, and what reads its format.',
    answers: {
      200: {
        description: 'Requests, the database and the process, in the text format of Prometheus.',
        headers: ['Cache-Control', 'Vary'],
        content: {
          [PROMETHEUS_TYPE]: {
            type: { type: 'string' },
            example: 'http_requests_total{method="GET",route="/posts/",status="200"} 7\n',
          },
        },
      },
    },
  });
}
