import { TokenMissing, TokenUnknown } from '../http/pipeline/bearer-tokens.js';
import { RoleMissing } from '../http/pipeline/roles.guard.js';
import { type Method, type Route, type RouteOperation, WRITES } from '../http/pipeline/route-table.js';
import {
  BodyTooLarge,
  CrossOriginWrite,
  HostNotAllowed,
  InternalError,
  InvalidRequest,
  NotAcceptable,
  NotFound,
  RequestTimedOut,
  ServiceStopping,
  TooManyBodies,
  TooManyRequests,
  UnsupportedMediaType,
} from '../problem-details/problems.js';
import type { ProblemSamples } from './problem-response.js';

/** Samples of the problems that the pipeline refuses a request with before its handler is called. */
export function pipelineProblems(
  route: Route,
  method: Method,
  operation: RouteOperation | undefined,
  maxBodyBytes: number,
): ProblemSamples {
  const isWrite = WRITES.has(method);
  return {
    malformedHost: new InvalidRequest([
      {
        detail: 'The field must be a host name or an address, and optionally a port.',
        code: 'malformed',
        header: 'Host',
      },
    ]),
    ...(route.answersAnyHost ? {} : { hostNotAllowed: new HostNotAllowed() }),
    ...(route.isOperational
      ? {}
      : {
          stopping: new ServiceStopping(),
          tooManyRequests: new TooManyRequests(600, 42),
          ...tokenProblems(operation),
        }),
    ...(isWrite
      ? {
          crossOriginWrite: new CrossOriginWrite(
            'A page of another origin may not write, unless CORS_ORIGINS names its origin.',
          ),
        }
      : {}),
    ...(route.parameters ? { notFound: new NotFound() } : {}),
    ...(operation
      ? {
          notAcceptable: new NotAcceptable(operation.produces.map(({ mediaType }) => mediaType)),
          internalError: new InternalError(undefined),
        }
      : {}),
    ...(operation?.consumes
      ? {
          bodyTimedOut: new RequestTimedOut('No byte of the body arrived for 30 s.'),
          bodiesTooMany: new TooManyBodies(),
          bodyTooLarge: new BodyTooLarge(
            Math.min(maxBodyBytes, operation.declaration.maxBodyBytes ?? Infinity),
          ),
          unsupportedMediaType: new UnsupportedMediaType(
            `Understood here: ${operation.consumes.join(', ')}.`,
            operation.consumes,
          ),
        }
      : {}),
  };
}

function tokenProblems(operation: RouteOperation | undefined): ProblemSamples {
  const tokenUnknown = new TokenUnknown();
  if (!operation) return { tokenUnknown };
  const { needs, role } = operation;
  return {
    ...(needs === 'nothing' ? {} : { tokenMissing: new TokenMissing(needs) }),
    // Every session has the lowest role.
    ...(role === undefined || role === 'viewer' ? {} : { roleMissing: new RoleMissing(role, 'viewer') }),
    tokenUnknown,
  };
}
