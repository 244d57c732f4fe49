import type { OpenAPIObject } from '@nestjs/swagger';
import { STATUS_CODES } from 'node:http';
import { HTML_TYPE, PROBLEM_TYPE } from '../http/protocol/index.js';
import {
  type OperationDeclaration,
  requiredRole,
  type ResponseDocs,
  type ResponseField,
  type Route,
  type RouteMethod,
  type RouteOperation,
  WRITES,
} from '../http/index.js';
import { apiKinds } from './catalogue.js';
import {
  mapValues,
  modernSchema,
  type Operation,
  type Parameter,
  type PathItem,
  type Reference,
  type Response,
  type Schema,
} from './document-types.js';
import { parameterReferences } from './header-fields.js';
import { contentOf, joined, responseOf } from './operation-documents.js';
import { ProblemDto } from './problem.dto.js';

type Paths = OpenAPIObject['paths'];

/**
 * Adds what Nest does not know to the paths that it has scanned: the canonical paths with their names, header fields and
 * responses. Statuses and header fields are declared independently of the configuration. It leaves out handlers
 * without a summary.
 */
export function completePaths(scanned: Paths, routes: readonly Route[]): Paths {
  const paths: Paths = {};
  for (const route of routes) {
    // Nest knows the paths without the slash at their end.
    const item = scanned[route.path.replace(/(.)\/$/, '$1')];
    if (item) paths[route.path] = completeItem(route, item);
  }
  return paths;
}

function completeItem(route: Route, scanned: PathItem): PathItem {
  const item: Record<string, unknown> = { 'x-route-name': route.name };
  for (const [name, method] of Object.entries(route.methods)) {
    const key = name.toLowerCase() as 'get';
    const operation = scanned[key];
    if (operation) item[key] = completeOperation(route, name, method, operation);
  }
  return item;
}

function completeOperation(route: Route, name: string, method: RouteMethod, scanned: Operation): Operation {
  const { operations, produces } = method;
  const { body, parameters = [], responses = {}, problems = [] } = documentationOf(method);
  const refusals = operations.flatMap((operation) => pipelineStatuses(route, name, operation));
  const form = produces.find(({ seeOther }) => seeOther !== undefined)?.seeOther;
  // A write requires a token if API_TOKENS is set.
  const mayNeedToken = operations.some(({ access }) => !('anyone' in access));
  return {
    ...scanned,
    ...(mayNeedToken && { security: [{}, { bearer: [] }] }),
    parameters: [
      ...(scanned.parameters as Parameter[]).map(modernParameter),
      ...parameterReferences([...parameters, 'X-Request-Id']),
    ],
    ...(body && { requestBody: { ...body, content: contentOf(body.content), required: true } }),
    responses: {
      ...problemReferences([...refusals, ...problems]),
      ...mapValues(responses as Record<string, ResponseDocs>, responseOf),
      ...(form !== undefined && { 303: redirectToForm(form) }),
    },
  };
}

function redirectToForm(form: string): Response {
  return responseOf({
    description: `Clients that prefer \`${HTML_TYPE}\`, such as browsers, find the browsable form at \`${form}\`.`,
    headers: ['Location'],
  });
}

/** The operation with a summary, joined with those that are a part of it. */
function documentationOf({ operations }: RouteMethod): OperationDeclaration {
  const all = operations.map(({ declaration }) => declaration);
  const main = all.filter(({ summary }) => summary !== undefined);
  const parts = all.filter(({ summary }) => summary === undefined);
  return [...main, ...parts].reduce(joined);
}

function modernParameter({ schema, ...parameter }: Parameter): Parameter {
  const modern = modernSchema(schema as Schema);
  // A list is separated by commas.
  const style = modern.type === 'array' && ({ style: 'form', explode: false } as const);
  return { ...parameter, ...style, schema: modern };
}

/** The responses of problems: one component a status, which all operations share. */
export function problemResponses(): Record<string, Response> {
  return Object.fromEntries(apiKinds().map(({ status }) => [componentName(status), problemResponse(status)]));
}

function problemReferences(statuses: readonly number[]): Record<number, Reference> {
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${componentName(status)}` }]),
  );
}

/** The statuses with which the pipeline refuses a request before its handler is called. */
function pipelineStatuses(route: Route, method: string, operation: RouteOperation): number[] {
  const role = requiredRole(operation.access);
  const hasRole = role !== undefined && role !== 'viewer';
  const always = [400, 406, 414, 500];
  return [
    ...always,
    ...(route.isOperational ? [] : [401, 429, 503]),
    ...(route.answersAnyHost && !hasRole && !WRITES.has(method) ? [] : [403]),
    ...(route.path.includes('{') ? [404] : []),
    ...(operation.consumes ? [408, 413, 415, 503] : []),
  ];
}

/** The header fields of the problems of a status. */
const PROBLEM_HEADERS: Readonly<Record<number, readonly ResponseField[]>> = {
  401: ['WWW-Authenticate'],
  409: ['Retry-After'],
  415: ['Accept-Post'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** `NotFound` for 404. */
function componentName(status: number): string {
  return STATUS_CODES[status]!.replaceAll(/\W/g, '');
}

function problemResponse(status: number): Response {
  const kinds = apiKinds().filter((kind) => kind.status === status);
  return responseOf({
    description: kinds.map(({ title, explanation }) => `${title}: ${explanation}`).join('\n\n'),
    headers: PROBLEM_HEADERS[status],
    content: { [PROBLEM_TYPE]: { type: ProblemDto } },
  });
}
