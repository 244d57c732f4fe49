import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { Preconditions as RequestPreconditions } from '../../problem-details/index.js';
import { clientOf } from '../client/client-address.js';
import { RequestClient } from '../client/request-client.js';
import { prefersExactCount, prefersMergedDuplicates } from '../protocol/prefer.js';

/** A decorator that gives an argument what `take` returns. */
function fromRequest(take: (request: Request) => unknown): () => ParameterDecorator {
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

/** The body as a stream, a `RequestBody`: for operations all of whose media types are in `streams`. */
export const BodyStream = fromRequest(({ body }: { body: unknown }) => body);

/** The `IdempotentRequest`; undefined without Idempotency-Key. */
export const IdempotencyKey = fromRequest(({ context }) => context.idempotent);

/** A function that gives the URL of a named route, an `UrlOf`. */
export const UrlOfRoute = fromRequest(({ context }) => context.urlOf);

/** The path as the client sent it. It identifies the list that a cursor belongs to. */
export const ListPath = fromRequest(({ context }) => context.fullPath);

/** The `Representation` that `Accept` selected. */
export const AcceptedRepresentation = fromRequest(({ context }) => context.representation);

/** The query as the client sent it, without its question mark. */
export const RawQuery = fromRequest(({ context }) => context.query);

/** The `Client` that waits for the response. */
export const CurrentClient = fromRequest((request) => new RequestClient(request));

/** Whether the client prefers an exact count (`Prefer: count=exact`). */
export const PrefersExactCount = fromRequest((request) => prefersExactCount(request.get('Prefer')));

/** Whether an import replaces the posts that its lines name (`Prefer: resolution=merge-duplicates`). */
export const PrefersMergedDuplicates = fromRequest((request) =>
  prefersMergedDuplicates(request.get('Prefer')),
);
