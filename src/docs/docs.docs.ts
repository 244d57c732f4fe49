import { HTML_TYPE, JSON_TYPE, YAML_TYPE } from '../http/media-types.js';
import { Documented } from '../openapi/documented.decorator.js';

export function DocumentsPage(): MethodDecorator {
  return Documented({
    summary: 'Show this page',
    description: 'Swagger UI: this description, and a form for each operation.',
    representation: {
      description: 'The page.',
      headers: ['Cross-Origin-Opener-Policy', 'Permissions-Policy'],
      content: { [HTML_TYPE]: { type: { type: 'string' }, example: '<!doctype html>…' } },
    },
  });
}

export function DocumentsOpenApi(mediaType: typeof JSON_TYPE | typeof YAML_TYPE): MethodDecorator {
  const isJson = mediaType === JSON_TYPE;
  return Documented({
    summary: `Read this description as ${isJson ? 'JSON' : 'YAML'}`,
    description:
      'For programs: generators of clients, linters, mock servers. It shows this very service: its address, its limits and its access.',
    representation: {
      description: 'The OpenAPI 3.1 document.',
      content: {
        [mediaType]: isJson
          ? { type: { type: 'object' }, example: { openapi: '3.1.0' } }
          : { type: { type: 'string' }, example: 'openapi: 3.1.0\n' },
      },
    },
  });
}
