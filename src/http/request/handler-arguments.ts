import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { clientOf } from './client-address.js';
import { Preconditions as RequestPreconditions } from '../protocol/preconditions.js';
import { prefersExactCount } from '../protocol/prefer.js';
import { readerOf } from '../response/response-reader.js';

function fromRequest(take: (request: Request) => unknown): () => ParameterDecorator {
  return createParamDecorator((_data: unknown, execution: ExecutionContext) =>
    take(execution.switchToHttp().getRequest<Request>()),
  );
}

/** In whose name the request changes something: an `Author`. */
export const CurrentAuthor = fromRequest(({ context }) => context.author);

/** The `Session` that the request's token stands for, where the operation asks for one. */
export const CurrentSession = fromRequest(({ context }) => context.session!);

/** The address that limits count a client by. */
export const ClientAddress = fromRequest(({ ip }) => clientOf(ip));

/** `If-Match`, `If-None-Match` and `If-Unmodified-Since` of a write, as `Preconditions`. */
export const IfMatch = fromRequest(({ headers }) =>
  RequestPreconditions.from({
    ifMatch: headers['if-match'],
    ifNoneMatch: headers['if-none-match'],
    ifUnmodifiedSince: headers['if-unmodified-since'],
  }),
);

/** What is wrong with the input: a list of `InputFault`, of an operation that declares `addsFaults`. */
export const InputFaults = fromRequest(({ context }) => context.inputFaults);

/** Whether `Prefer: count=exact` asks for the number of items. */
export const PrefersCount = fromRequest((request) => prefersExactCount(request.get('Prefer')));

/** What `Accept` chose: one of the operation's `produces`. */
export const ChosenRepresentation = fromRequest(({ context }) => context.representation!);

/** The body of a media type that the operation streams; undefined where the body is of another one. */
export const BodyStream = fromRequest(({ context }) => context.bodyStream);

/** What makes the request the same as another: an `IdempotentRequest`; undefined without Idempotency-Key. */
export const IdempotencyKey = fromRequest(({ context }) => context.idempotent);

/** The path as the client sent it, which names the list that a cursor belongs to. */
export const ListPath = fromRequest(({ context }) => context.fullPath);

/**
 * Gives the `Reader` of a response that is slow to make or streamed. Requests for the same do not wait for it: its client
 * may have to wait for its share, and may leave.
 */
export const StreamReader = fromRequest((request) => () => {
  request.context.onResponse?.(undefined);
  return readerOf(request);
});
