import { getSchemaPath } from '@nestjs/swagger';
import { STATUS_CODES } from 'node:http';
import { PROBLEM_TYPE } from '../http/protocol/media-type.js';
import { malformedField, NOT_WHAT_IF_MATCH_NAMES } from '../http/protocol/preconditions.js';
import { type Problem, problemDocument } from '../problem-details/problem.js';
import { InvalidRequest, PreconditionFailed, ServiceUnavailable } from '../problem-details/problems.js';
import type { Reference, Response } from './document-types.js';
import { COMMON_HEADERS, headerReferences, isResponseHeader, RESPONSE_HEADERS } from './header-fields.js';
import { ProblemDto } from './problem.dto.js';

/** The address of the service in examples. */
export const EXAMPLE_BASE_URL = 'http://127.0.0.1:3000';

/** The URL of a named route in an example. */
export type ExampleUrlOf = (routeName: string, parameters?: object) => string;

/** Samples of problems, by names for the reader of a declaration. */
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
  503: 'The database is busy, full or unreachable, too many bodies are in flight, or the service is stopping. Nothing was changed.',
};

/** The responses of problems: one component a status, which all operations share. */
export class ProblemResponses {
  readonly #samples = new Map<number, Problem[]>();

  constructor(private readonly urlOf: ExampleUrlOf) {}

  /** References to the components of the statuses that the samples have. */
  references(samples: ProblemSamples): Record<number, Reference> {
    const problems = Object.values(samples);
    for (const problem of problems) {
      const known = this.#samples.get(problem.getStatus()) ?? [];
      this.#samples.set(problem.getStatus(), [...known, problem]);
    }
    return Object.fromEntries(
      problems.map((problem) => [
        problem.getStatus(),
        { $ref: `#/components/responses/${nameOf(problem.getStatus())}` },
      ]),
    );
  }

  /** The components, after all operations have asked for their references. */
  components(): Record<string, Response> {
    return Object.fromEntries(
      [...this.#samples].map(([status, problems]) => [nameOf(status), this.#response(problems)]),
    );
  }

  #response(problems: readonly Problem[]): Response {
    const [first] = problems;
    const fields = new Set(problems.flatMap(({ headers }) => Object.keys(headers)).filter(isResponseHeader));
    const isCommon = (name: string): boolean => problems.every(({ headers }) => name in headers);
    return {
      description: [...new Set(problems.map(descriptionOf))].join('\n\n'),
      headers: {
        ...headerReferences([...COMMON_HEADERS, ...[...fields].filter(isCommon)]),
        ...Object.fromEntries(
          [...fields]
            .filter((name) => !isCommon(name))
            .map((name) => [name, { ...RESPONSE_HEADERS[name], required: false }]),
        ),
      },
      content: {
        [PROBLEM_TYPE]: {
          schema: { $ref: getSchemaPath(ProblemDto) },
          example: problemDocument(first!, {
            urlOf: this.urlOf,
            instance: '/posts/',
            requestId: '0b9f6f0e-5d1c-4f6a-9d0e-8f4c1c1f7a52',
          }),
        },
      },
    };
  }
}

/** `NotFound` for 404. */
function nameOf(status: number): string {
  return STATUS_CODES[status]!.replaceAll(/\W/g, '');
}

function descriptionOf({ kind }: Problem): string {
  if (typeof kind !== 'number') return `${kind.title}: ${kind.explanation}`;
  const title = STATUS_CODES[kind] ?? 'Error';
  const explanation = EXPLANATIONS[kind];
  return explanation === undefined ? title : `${title}: ${explanation}`;
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
