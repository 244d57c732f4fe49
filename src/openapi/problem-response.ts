import { ApiProperty, ApiPropertyOptional, ApiSchema, getSchemaPath } from '@nestjs/swagger';
import { STATUS_CODES } from 'node:http';
import { PROBLEM_TYPE } from '../http/protocol/media-type.js';
import { malformedField, NOT_WHAT_IF_MATCH_NAMES } from '../http/protocol/preconditions.js';
import { PROBLEM_CODES, type ProblemCode } from '../problem-details/catalogue.js';
import { FAULT_CODES, type FaultCode, type Problem, problemDocument } from '../problem-details/problem.js';
import { InvalidRequest, PreconditionFailed, ServiceUnavailable } from '../problem-details/problems.js';
import { ClosedSchema, COMPONENT_NAME, type Example, type Response } from './document-types.js';
import { headerReferences, isResponseHeader, type ResponseHeader } from './header-fields.js';
import { mapValues } from './map-values.js';
import { capitalised } from './shared-components.js';

/** The `code` of a fault. */
export const FaultCodeProperty = (): PropertyDecorator =>
  ApiProperty({
    enum: Object.keys(FAULT_CODES),
    enumName: 'FaultCode',
    description: 'The kind of fault, for programs.',
    example: 'required',
  });

/** The `limit` of a fault. */
export const FaultLimitProperty = (): PropertyDecorator =>
  ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'The maximum that is allowed; for `too_short` the minimum.',
    example: 200,
  });

@ClosedSchema('InputFault', 'One fault of the input, and its place.')
class InputFaultDto {
  @ApiProperty({ description: 'An explanation for people.', example: 'The field is required.' })
  detail!: string;

  @FaultCodeProperty()
  code!: FaultCode;

  @FaultLimitProperty()
  limit?: number;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'The line of an import.',
    example: 3,
  })
  line?: number;

  @ApiPropertyOptional({
    description: 'The place in the body, or in the line, as a JSON Pointer (RFC 6901).',
    example: '/title',
  })
  pointer?: string;

  @ApiPropertyOptional({
    description: 'The parameter of the path or the query.',
    example: 'limit',
  })
  parameter?: string;

  @ApiPropertyOptional({ description: 'The header field.', example: 'If-Match' })
  header?: string;
}

@ApiSchema({
  name: 'Problem',
  description: 'A problem (RFC 9457). Programs use `code`; the texts are for people.',
})
export class ProblemDto {
  @ApiProperty({
    // Relative when a malformed Host leaves the base URL unknown.
    format: 'uri-reference',
    description: 'A URL that returns an explanation, or `about:blank` when the status needs none.',
    example: 'http://127.0.0.1:3000/problems/invalid-request/',
  })
  type!: string;

  @ApiProperty({
    enum: PROBLEM_CODES,
    enumName: 'ProblemCode',
    description: 'The kind of problem, for programs.',
    example: 'invalid-request',
  })
  code!: ProblemCode;

  @ApiProperty({
    description: 'The name of the kind of problem; always the same.',
    example: 'Invalid request',
  })
  title!: string;

  @ApiProperty({
    type: 'integer',
    minimum: 400,
    maximum: 599,
    description: 'The status of the response.',
    example: 400,
  })
  status!: number;

  @ApiProperty({
    description: 'The details of this occurrence.',
    example: 'The request has one fault; nothing was changed.',
  })
  detail!: string;

  @ApiProperty({
    format: 'uri-reference',
    description: 'The path of the request, with the public prefix of the service.',
    example: '/posts/',
  })
  instance!: string;

  @ApiProperty({
    description: 'The `X-Request-Id`, which the log has too.',
    example: '0b9f6f0e-5d1c-4f6a-9d0e-8f4c1c1f7a52',
  })
  request_id!: string;

  @ApiPropertyOptional({
    type: () => [InputFaultDto],
    description: 'All faults of the input.',
  })
  errors?: InputFaultDto[];
}

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
  415: 'The Content-Type, its charset or the Content-Encoding is not supported.',
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
