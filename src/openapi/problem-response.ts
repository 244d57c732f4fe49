import { getSchemaPath } from '@nestjs/swagger';
import { STATUS_CODES } from 'node:http';
import { PROBLEM_TYPE } from '../http/protocol/media-type.js';
import { malformedField, NOT_WHAT_IF_MATCH_NAMES } from '../http/protocol/preconditions.js';
import { type Problem, problemDocument } from '../problem-details/problem.js';
import { InvalidRequest, PreconditionFailed, ServiceUnavailable } from '../problem-details/problems.js';
import { COMPONENT_NAME, type Example, type Response } from './document-types.js';
import { headerReferences, isResponseHeader, type ResponseHeader } from './header-fields.js';
import { ProblemDto } from './problem.dto.js';
import { mapValues } from './map-values.js';
import { capitalised } from './shared-components.js';

/** The address of the service in examples; the document replaces it with the real address. */
export const EXAMPLE_BASE_URL = 'http://127.0.0.1:3000';

/** The URL of a named route in an example. */
export type ExampleUrlOf = (routeName: string, parameters?: object) => string;

/** Problems by the names of their examples; a name refers to the same example everywhere. */
export type ProblemSamples = Readonly<Record<string, Problem>>;

/** The explanations of plain HTTP errors; the catalogue explains the other problems. */
const EXPLANATIONS: Readonly<Record<number, string>> = {
  401: 'A bearer token is needed and missing, or the token is unknown, expired or not sufficient.',
  404: 'The resource does not exist, or no longer exists.',
  406: '`Accept` allows none of the available media types; `errors` lists them.',
  408: 'The body arrived too slowly, and the connection is closed.',
  415: 'The Content-Type, its charset or the Content-Encoding is not understood.',
  429: 'The client has sent more requests than RATE_LIMIT allows.',
  500: 'The service failed unexpectedly. The log has the details under the request id.',
  503: 'The database is busy, full or unreachable, too many large bodies are in flight, or the service is stopping. Nothing was changed.',
};

/** Header fields that a response of a status may have besides those of the sample. */
const OPTIONAL_HEADERS: Readonly<Record<number, readonly ResponseHeader[]>> = { 415: ['Accept-Encoding'] };

/** The responses of problems, generated from the problems, by status. */
export function problemResponses(samples: ProblemSamples, urlOf: ExampleUrlOf): Record<number, Response> {
  const byStatus: Record<number, ProblemSamples> = {};
  for (const [name, problem] of Object.entries(samples)) {
    byStatus[problem.getStatus()] = { ...byStatus[problem.getStatus()], [name]: problem };
  }
  return mapValues(byStatus, (each, status) => problemResponse(Number(status), each, urlOf));
}

function problemResponse(status: number, samples: ProblemSamples, urlOf: ExampleUrlOf): Response {
  const [first] = Object.values(samples);
  const named = Object.keys(first!.headers).filter(isResponseHeader);
  return {
    [COMPONENT_NAME]: Object.keys(samples).map(capitalised).join('Or'),
    description: descriptionOf(first!),
    headers: headerReferences([
      'Cache-Control',
      ...named,
      ...(OPTIONAL_HEADERS[status] ?? []),
      'Content-Encoding',
    ]),
    content: {
      [PROBLEM_TYPE]: {
        schema: { $ref: getSchemaPath(ProblemDto) },
        examples: mapValues(samples, (problem) => exampleOf(problem, urlOf)),
      },
    },
  };
}

function descriptionOf({ kind }: Problem): string {
  if (typeof kind !== 'number') return `${kind.title}: ${kind.explanation}`;
  const title = STATUS_CODES[kind] ?? 'Error';
  const explanation = EXPLANATIONS[kind];
  return explanation === undefined ? title : `${title}: ${explanation}`;
}

function exampleOf(problem: Problem, urlOf: ExampleUrlOf): Example {
  return {
    summary: problem.errors?.[0]?.detail ?? problem.message,
    value: problemDocument(problem, {
      urlOf,
      instance: '/posts/',
      requestId: '0b9f6f0e-5d1c-4f6a-9d0e-8f4c1c1f7a52',
    }),
  };
}

/** The problem of a query where none is allowed. */
export const UNKNOWN_PARAMETER = new InvalidRequest([
  {
    detail: 'The parameter is not known; this path has no parameters.',
    code: 'unknown_parameter',
    parameter: 'colour',
  },
]);

export const MALFORMED_IF_MATCH = new InvalidRequest([malformedField('If-Match')]);

/** The problem of a read whose If-Match does not match. */
export const NOT_AS_ASKED_FOR = new PreconditionFailed(NOT_WHAT_IF_MATCH_NAMES);

/** The problem that every operation on the database may have. */
export const DATABASE_BUSY = new ServiceUnavailable('The database is busy; nothing was changed.');
