import type { Request } from 'express';
import { prefersMinimal } from '../protocol/prefer.js';
import { ApiResponse, without } from './api-response.js';

/** Turns what a handler returned into the response. */
export function toResponse(value: unknown, request: Request): ApiResponse {
  const { respond, declaration } = request.context.operation!;
  const response = value instanceof ApiResponse ? value : respond(value as never, request.context);
  // Also applies to a replayed response of an earlier request with the same Idempotency-Key: each request has its own
  // preference.
  const isMinimal = declaration.takesReturnPreference === true && prefersMinimal(request.get('Prefer'));
  return isMinimal ? minimalResponse(response) : response;
}

/** Removes the body of the response to a write and keeps the header fields that describe the result. */
function minimalResponse({ status, headers, entityTag, lastModified }: ApiResponse): ApiResponse {
  const isCreated = status === 201;
  return new ApiResponse({
    status: isCreated ? 201 : 204,
    headers: { ...without('Content-Type', headers), 'Preference-Applied': 'return=minimal' },
    entityTag,
    lastModified,
    // A 201 has a Content-Length; a 204 has none.
    ...(isCreated && { body: '' }),
  });
}
