import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { Preconditions as RequestPreconditions } from '../../problem-details/index.js';
import { clientOf } from '../client/client-address.js';
import { RequestBody } from '../bodies/request-body.js';

/** A decorator that gives an argument what `take` returns. */
export function fromRequest(take: (request: Request) => unknown): () => ParameterDecorator {
  return createParamDecorator((_data: unknown, execution: ExecutionContext) =>
    take(execution.switchToHttp().getRequest<Request>()),
  );
}

/** The `User` who sends the request. */
export const CurrentUser = fromRequest(({ user }) => user);

/** The `Author` of the changes that the request makes. */
export const CurrentAuthor = fromRequest(({ user }) => user.author);

/** The address by which limits identify a client. */
export const ClientAddress = fromRequest(({ ip }) => clientOf(ip));

/** `If-Match`, `If-None-Match` and `If-Unmodified-Since` of a write, as `Preconditions`. */
export const IfMatch = fromRequest(({ headers }) => new RequestPreconditions(headers));

/** The body as a stream; undefined when its media type is not one that the operation streams. */
export const BodyStream = fromRequest(({ body }) => (body instanceof RequestBody ? body : undefined));

/** The `IdempotentRequest`; undefined without Idempotency-Key. */
export const IdempotencyKey = fromRequest(({ context }) => context.idempotent);

/** A function that gives the URL of a named route, an `UrlOf`. */
export const UrlOfRoute = fromRequest(({ context }) => context.urlOf);

/** The path as the client sent it. It identifies the list that a cursor belongs to. */
export const ListPath = fromRequest(({ context }) => context.fullPath);
