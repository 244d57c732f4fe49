import type { OpenAPIObject } from '@nestjs/swagger';
import { allowedMethods, type Method, operationOf, type Route } from '../http/pipeline/route-table.js';
import { HTML_TYPE } from '../http/protocol/media-type.js';
import type { InputClass } from '../http/request/input-rules.js';
import type {
  Operation,
  Parameter,
  PathItem,
  Reference,
  Response,
  Responses,
  Schema,
} from './document-types.js';
import { COMMON_HEADERS, headerReferences, parameterReferences } from './header-fields.js';
import { mapValues } from './map-values.js';
import { parameterNames, requestBodyOf, responsesOf } from './operation-docs.js';
import { pipelineStatuses, problemReferences } from './problem-responses.js';
import type { Schemas } from './schemas.js';

/** What the paths contain besides the declarations of the routes. */
interface DocumentSource {
  readonly schemas: Schemas;
  tagsOf(operationId: string): string[];
}

/**
 * Generates the `paths` of the document from the declared routes: the canonical paths with their names, HEAD and
 * OPTIONS, and the responses of the pipeline. Statuses and header fields are declared independently of the
 * configuration.
 */
export function completePaths(routes: readonly Route[], source: DocumentSource): OpenAPIObject['paths'] {
  return Object.fromEntries(routes.map((route) => [route.path, pathItemOf(route, source)]));
}

function pathItemOf(route: Route, source: DocumentSource): PathItem {
  const operations = allowedMethods(route).map((method) => {
    if (method === 'OPTIONS') return ['options', optionsOf(route, source)];
    return [method.toLowerCase(), method === 'HEAD' ? headOf(route, source) : handled(route, method, source)];
  });
  return { 'x-route-name': route.name, ...Object.fromEntries(operations) } as PathItem;
}

function handled(route: Route, method: Method, source: DocumentSource): Operation {
  const operation = operationOf(route, method)!;
  const { id, declaration, query, needs, produces } = operation;
  const { summary, description, representation, problems = [] } = declaration;
  const form = produces.find(({ seeOther }) => seeOther !== undefined)?.seeOther;
  const ofRead = representation ? [400, 412] : [];
  return {
    tags: source.tagsOf(id),
    ...(summary === undefined ? {} : { summary }),
    ...(description === undefined ? {} : { description }),
    operationId: id,
    // A write requires a token if API_TOKENS is set.
    ...(needs === 'nothing' ? {} : { security: [{}, { bearer: [] }] }),
    parameters: [
      ...parametersOf(route.parameters, 'path', source),
      ...parametersOf(query, 'query', source),
      ...parameterReferences(parameterNames(declaration)),
    ],
    ...requestBodyOf(declaration),
    responses: {
      ...(form === undefined ? {} : redirectTo(form)),
      ...problemReferences([...pipelineStatuses(route, method, operation), ...ofRead, ...problems]),
      ...responsesOf(declaration),
    },
  };
}

function headOf(route: Route, source: DocumentSource): Operation {
  const { responses, ...operation } = handled(route, 'HEAD', source);
  return {
    ...operation,
    tags: ['head-and-options'],
    summary: `${operation.summary}, without the body`,
    operationId: idFor('head', route),
    description: 'Responds as GET does, with the same header fields and no body.',
    responses: mapValues(responses as Record<string, Response | Reference>, withoutBody),
  };
}

function optionsOf(route: Route, source: DocumentSource): Operation {
  const isPostedTo = route.operations.POST?.consumes !== undefined;
  return {
    tags: ['head-and-options'],
    summary: `The methods of ${route.path}`,
    description:
      'Browsers send this request before some requests from pages of another origin (CORS preflight).',
    operationId: idFor('options', route),
    parameters: [...parametersOf(route.parameters, 'path', source), ...parameterReferences(['X-Request-Id'])],
    responses: {
      ...problemReferences(pipelineStatuses(route, 'OPTIONS', undefined)),
      204: {
        description: isPostedTo
          ? '`Allow` names them, and `Accept-Post` the media types that POST takes.'
          : '`Allow` names them.',
        headers: headerReferences([
          ...COMMON_HEADERS,
          'Allow',
          ...(isPostedTo ? (['Accept-Post'] as const) : []),
        ]),
      },
    },
  };
}

function redirectTo(form: string): Responses {
  return {
    303: {
      description: `Clients that prefer \`${HTML_TYPE}\`, such as browsers, find the browsable form at \`${form}\`.`,
      headers: headerReferences([...COMMON_HEADERS, 'Location']),
    },
  };
}

/** Each property of the class is a parameter. */
function parametersOf(
  inputClass: InputClass | undefined,
  place: 'path' | 'query',
  { schemas }: DocumentSource,
): Parameter[] {
  const { properties = {}, required = [] } = (inputClass && schemas[inputClass.name]) ?? {};
  return Object.entries(properties as Record<string, Schema>).map(([name, { description, ...schema }]) => ({
    name,
    in: place,
    ...(place === 'path' || required.includes(name) ? { required: true } : {}),
    ...(description === undefined ? {} : { description }),
    ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
    schema,
  }));
}

/** `listPosts` becomes `headPosts`. */
function idFor(method: 'head' | 'options', { operations, name }: Route): string {
  return (operations.GET?.id ?? name).replace(/^[a-z]+/, method);
}

/** A shared response keeps its content: HEAD never has one (RFC 9110 §9.3.2). */
function withoutBody(response: Response | Reference): Response | Reference {
  if ('$ref' in response) return response;
  const { content: _, ...head } = response;
  return head;
}

/** The routes in the document: those with a summary, without the administration site and without files. */
export function documentedRoutes(routes: readonly Route[]): readonly Route[] {
  return routes.filter(
    ({ path, operations }) =>
      !path.startsWith('/admin/') &&
      !path.endsWith('*') &&
      Object.values(operations).some(({ declaration }) => declaration.summary),
  );
}
