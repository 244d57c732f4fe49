import { RoleMissing, TokenMissing, TokenUnknown } from '../http/pipeline/bearer-tokens.js';
import {
  accessRuleOf,
  type Method,
  operationOf,
  type Route,
  type RouteOperation,
  WRITES,
} from '../http/pipeline/route-table.js';
import { HTML_TYPE } from '../http/protocol/media-type.js';
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
import type { DocumentSource } from './complete-document.js';
import { COMPONENT_NAME, type Response } from './document-types.js';
import { headerReferences } from './header-fields.js';
import { problemResponses, type ProblemSamples } from './problem-response.js';

/** The responses that http-pipeline.ts sends before a handler is called. */
export function pipelineResponses(
  route: Route,
  method: Method,
  { maxBodyBytes, urlOf }: Pick<DocumentSource, 'maxBodyBytes' | 'urlOf'>,
): Record<number, Response> {
  const operation = operationOf(route, method);
  const seeOther = operation?.produces.find(
    (representation) => representation.seeOther !== undefined,
  )?.seeOther;
  const problems = problemResponses(pipelineProblems(route, method, operation, maxBodyBytes), urlOf);
  return seeOther === undefined ? problems : { 303: redirectTo(seeOther), ...problems };
}

function pipelineProblems(
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
    hostNotAllowed: new HostNotAllowed(),
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
          // The problem lists the accepted types, so it needs a separate name where imports are accepted.
          [operation.declaration.streams ? 'unsupportedImportType' : 'unsupportedMediaType']:
            new UnsupportedMediaType(
              `Understood here: ${operation.consumes.join(', ')}.`,
              operation.consumes,
            ),
        }
      : {}),
  };
}

function tokenProblems(operation: RouteOperation | undefined): ProblemSamples {
  const { needs, role } = accessRuleOf(operation);
  return {
    ...(needs === 'nothing'
      ? {}
      : { [needs === 'session' ? 'sessionMissing' : 'tokenMissing']: new TokenMissing(needs) }),
    // Every session has the lowest role.
    ...(role === undefined || role === 'viewer'
      ? {}
      : { [`${role}Missing`]: new RoleMissing(role, 'viewer') }),
    tokenUnknown: new TokenUnknown(),
  };
}

function redirectTo(target: string): Response {
  return {
    [COMPONENT_NAME]: 'BrowsableForm',
    description: `Clients that prefer \`${HTML_TYPE}\`, such as browsers, find the browsable form at \`${target}\`.`,
    headers: headerReferences(['Location', 'Vary']),
  };
}
