import { getSchemaPath } from '@nestjs/swagger';
import { STATUS_CODES } from 'node:http';
import { type Method, type Route, type RouteOperation, WRITES } from '../http/pipeline/route-table.js';
import { PROBLEM_TYPE } from '../http/protocol/media-type.js';
import { plainCode, PROBLEM_KINDS, type ProblemKind } from '../problem-details/catalogue.js';
import type { Reference, Response } from './document-types.js';
import { COMMON_HEADERS, headerReferences, type ResponseHeader } from './header-fields.js';
import { ProblemDto } from './problem.dto.js';

/** The address of the service in examples. */
export const EXAMPLE_BASE_URL = 'http://127.0.0.1:3000';

/** The explanations of plain HTTP errors; the catalogue explains the other problems. */
const EXPLANATIONS: Readonly<Record<number, string>> = {
  401: 'A bearer token is needed and missing, or the token is unknown, expired or not sufficient.',
  404: 'The resource does not exist, or no longer exists.',
  406: '`Accept` allows none of the available media types; `errors` lists them.',
  408: 'The body arrived too slowly, and the connection is closed.',
  415: 'The Content-Type, its charset or the Content-Encoding is not supported.',
  429: 'The client has sent more requests than RATE_LIMIT allows.',
  500: 'The service failed unexpectedly. The log has the details under the request id.',
  501: 'Transfer-Encoding names another transfer coding than `chunked`.',
  503: 'The database is busy, full or unreachable, too many bodies are in flight, or the service is stopping. Nothing was changed.',
};

/** The kinds of problem that only the administration site has. */
const ADMINISTRATION: readonly ProblemKind['slug'][] = [
  'last-administrator',
  'username-taken',
  'too-many-log-ins',
];

const KINDS = PROBLEM_KINDS.filter(({ slug }) => !ADMINISTRATION.includes(slug));

const HEADERS: Readonly<Record<number, readonly ResponseHeader[]>> = {
  401: ['WWW-Authenticate'],
  409: ['Retry-After'],
  415: ['Accept-Post'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** The responses of problems: one component a status, which all operations share. */
export function problemResponses(): Record<string, Response> {
  const statuses = new Set([...Object.keys(EXPLANATIONS).map(Number), ...KINDS.map(({ status }) => status)]);
  return Object.fromEntries([...statuses].map((status) => [nameOf(status), responseOf(status)]));
}

export function problemReferences(statuses: Iterable<number>): Record<number, Reference> {
  return Object.fromEntries(
    [...statuses].map((status) => [status, { $ref: `#/components/responses/${nameOf(status)}` }]),
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

function responseOf(status: number): Response {
  const kinds = KINDS.filter((kind) => kind.status === status).map(
    ({ title, explanation }) => `${title}: ${explanation}`,
  );
  const plain = EXPLANATIONS[status];
  return {
    description: [...kinds, ...(plain ? [`${STATUS_CODES[status]}: ${plain}`] : [])].join('\n\n'),
    headers: headerReferences([...COMMON_HEADERS, ...(HEADERS[status] ?? [])]),
    content: { [PROBLEM_TYPE]: { schema: { $ref: getSchemaPath(ProblemDto) }, example: exampleOf(status) } },
  };
}

function exampleOf(status: number): ProblemDto {
  const kind = KINDS.find((each) => each.status === status);
  return {
    type: kind ? `${EXAMPLE_BASE_URL}/problems/${kind.slug}/` : 'about:blank',
    code: kind?.slug ?? plainCode(status),
    title: kind?.title ?? STATUS_CODES[status]!,
    status,
    detail: kind?.explanation ?? EXPLANATIONS[status]!,
    instance: '/posts/',
    request_id: '0b9f6f0e-5d1c-4f6a-9d0e-8f4c1c1f7a52',
    ...(status === 400 && {
      errors: [{ detail: 'The field is required.', code: 'required', pointer: '/title' }],
    }),
  };
}
