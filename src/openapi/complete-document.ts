import type { OpenAPIObject } from '@nestjs/swagger';
import { allowedMethods, type Method, operationOf, type Route } from '../http/request/route-table.js';
import { HTML_TYPE } from '../http/protocol/media-type.js';
import type { Operation, Parameter, PathItem, Response, Schema } from './document-types.js';
import { parameterReferences } from './header-fields.js';
import { mapValues } from './map-values.js';
import { contentOf, type ResponseDocs, responseOf } from './operation-docs.js';
import { pipelineStatuses, problemReferences } from './problem-responses.js';
import { modernSchema } from './schemas.js';

type Paths = OpenAPIObject['paths'];

/** The routes in the document: those of handlers with a summary. */
export function documentedRoutes(routes: readonly Route[]): readonly Route[] {
  return routes.filter(({ operations }) =>
    Object.values(operations).some(({ declaration }) => declaration.summary),
  );
}

/**
 * Adds what Nest does not know to the paths that it has scanned: the canonical paths with their names, HEAD and OPTIONS,
 * header fields and responses. Statuses and header fields are declared independently of the configuration.
 */
export function completePaths(scanned: Paths, routes: readonly Route[]): Paths {
  return Object.fromEntries(
    // Nest knows the paths without the slash at their end.
    routes.map((route) => [route.path, pathItemOf(route, scanned[route.path.replace(/(.)\/$/, '$1')]!)]),
  );
}

function pathItemOf(route: Route, scanned: PathItem): PathItem {
  const ofMethod = (method: Method): Operation => {
    if (method === 'OPTIONS') return optionsOf(route, scanned);
    if (method === 'HEAD') return headOf(route, complete(route, method, scanned.get!));
    return complete(route, method, scanned[method.toLowerCase() as 'get']!);
  };
  const operations = allowedMethods(route).map((method) => [method.toLowerCase(), ofMethod(method)]);
  return { 'x-route-name': route.name, ...Object.fromEntries(operations) } as PathItem;
}

function complete(route: Route, method: Method, scanned: Operation): Operation {
  const operation = operationOf(route, method)!;
  const { body, parameters = [], responses = {}, problems = [] } = operation.declaration;
  const form = operation.produces.find(({ seeOther }) => seeOther !== undefined)?.seeOther;
  return {
    ...scanned,
    // A write requires a token if API_TOKENS is set.
    ...(operation.needs !== 'nothing' && { security: [{}, { bearer: [] }] }),
    parameters: [
      ...(scanned.parameters as Parameter[]).map(modernParameter),
      ...parameterReferences([...parameters, 'X-Request-Id']),
    ],
    ...(body && { requestBody: { ...body, content: contentOf(body.content), required: true } }),
    responses: {
      ...problemReferences([...pipelineStatuses(route, method, operation), ...problems]),
      ...mapValues(responses as Record<string, ResponseDocs>, responseOf),
      ...(form !== undefined && { 303: redirectTo(form) }),
    },
  };
}

function redirectTo(form: string): Response {
  return responseOf({
    description: `Clients that prefer \`${HTML_TYPE}\`, such as browsers, find the browsable form at \`${form}\`.`,
    headers: ['Location'],
  });
}

function headOf(route: Route, { responses, ...operation }: Operation): Operation {
  return {
    ...operation,
    tags: ['head-and-options'],
    summary: `${operation.summary}, without the body`,
    operationId: idFor('head', route),
    description: 'Responds as GET does, with the same header fields and no body.',
    // A shared response keeps its content: HEAD never has one (RFC 9110 §9.3.2).
    responses: mapValues(responses as Record<string, Response>, ({ content: _body, ...head }) => head),
  };
}

function optionsOf(route: Route, scanned: PathItem): Operation {
  const isPostedTo = route.operations.POST?.consumes !== undefined;
  const [operation] = Object.values(scanned) as Operation[];
  const inPath = (operation!.parameters as Parameter[]).filter((parameter) => parameter.in === 'path');
  return {
    tags: ['head-and-options'],
    summary: `The methods of ${route.path}`,
    description:
      'Browsers send this request before some requests from pages of another origin (CORS preflight).',
    operationId: idFor('options', route),
    parameters: [...inPath.map(modernParameter), ...parameterReferences(['X-Request-Id'])],
    responses: {
      ...problemReferences(pipelineStatuses(route, 'OPTIONS', undefined)),
      204: responseOf({
        description: `\`Allow\` names them${isPostedTo ? ', and `Accept-Post` the media types that POST takes' : ''}.`,
        headers: isPostedTo ? ['Allow', 'Accept-Post'] : ['Allow'],
      }),
    },
  };
}

function modernParameter({ schema, ...parameter }: Parameter): Parameter {
  const modern = modernSchema(schema as Schema);
  return { ...parameter, ...(modern.type === 'array' && { style: 'form', explode: false }), schema: modern };
}

/** `listPosts` becomes `headPosts`. */
function idFor(method: 'head' | 'options', { operations, name }: Route): string {
  return (operations.GET?.id ?? name).replace(/^[a-z]+/, method);
}
