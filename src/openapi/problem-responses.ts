import { STATUS_CODES } from 'node:http';
import { type Method, type Route, type RouteOperation, WRITES } from '../http/request/route-table.js';
import { PROBLEM_TYPE } from '../http/protocol/media-type.js';
import { API_KINDS } from '../problem-details/catalogue.js';
import type { ProblemKind } from '../problem-details/problem.js';
import type { Reference, Response } from './document-types.js';
import type { ResponseHeader } from './header-fields.js';
import { responseOf } from './operation-docs.js';
import { ProblemDto } from './problem.dto.js';

/** The address of the service in examples. */
export const EXAMPLE_BASE_URL = 'http://127.0.0.1:3000';

const HEADERS: Readonly<Record<number, readonly ResponseHeader[]>> = {
  401: ['WWW-Authenticate'],
  409: ['Retry-After'],
  415: ['Accept-Post'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** The responses of problems: one component a status, which all operations share. */
export function problemResponses(): Record<string, Response> {
  return Object.fromEntries(API_KINDS.map(({ status }) => [nameOf(status), problemResponse(status)]));
}

export function problemReferences(statuses: readonly number[]): Record<number, Reference> {
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${nameOf(status)}` }]),
  );
}

/** The statuses with which the pipeline refuses a request before its handler is called. */
export function pipelineStatuses(
  route: Route,
  method: Method,
  operation: RouteOperation | undefined,
): number[] {
  const hasRole = operation?.role !== undefined && operation.role !== 'viewer';
  return [
    400,
    ...(route.isOperational ? [] : [401, 429, 503]),
    ...(route.answersAnyHost && !hasRole && !WRITES.has(method) ? [] : [403]),
    ...(route.parameters ? [404] : []),
    ...(operation ? [406, 500] : []),
    ...(operation?.consumes ? [408, 413, 415, 501, 503] : []),
  ];
}

/** `NotFound` for 404. */
function nameOf(status: number): string {
  return STATUS_CODES[status]!.replaceAll(/\W/g, '');
}

function problemResponse(status: number): Response {
  const kinds = API_KINDS.filter((kind) => kind.status === status);
  const example = exampleOf(kinds.find(({ remedy }) => remedy !== undefined) ?? kinds[0]!);
  return responseOf({
    description: kinds.map(({ title, explanation }) => `${title}: ${explanation}`).join('\n\n'),
    headers: HEADERS[status] ?? [],
    content: { [PROBLEM_TYPE]: { type: ProblemDto, example } },
  });
}

function exampleOf({ status, slug, title, explanation, remedy }: ProblemKind): ProblemDto {
  return {
    type: remedy === undefined ? 'about:blank' : `${EXAMPLE_BASE_URL}/problems/${slug}/`,
    code: slug,
    title,
    status,
    detail: explanation,
    instance: '/posts/',
    request_id: '0b9f6f0e-5d1c-4f6a-9d0e-8f4c1c1f7a52',
  };
}
