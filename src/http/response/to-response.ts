import type { Request } from 'express';
import { minimalResponse, prefersMinimal } from '../protocol/prefer.js';
import { ApiResponse } from './api-response.js';
import { StreamedResponse } from './streamed-response.js';

/** Turns what a handler returned into the response. */
export function toResponse(value: unknown, request: Request): ApiResponse | StreamedResponse {
  const { respond, declaration } = request.context.operation!;
  const isResponse = value instanceof ApiResponse || value instanceof StreamedResponse;
  const response = isResponse ? value : respond(value as never, request.context);
  // Also applies to a replayed response of an earlier request with the same Idempotency-Key: each request has its own
  // preference.
  const isMinimal = declaration.takesReturnPreference === true && prefersMinimal(request.get('Prefer'));
  return isMinimal && response instanceof ApiResponse ? minimalResponse(response) : response;
}
