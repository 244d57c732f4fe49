import {
  Operation,
  type OperationDeclaration,
  type Representation,
} from '../http/request/operation.decorator.js';
import { JSON_TYPE } from '../http/protocol/media-type.js';
import { ApiResponse, type BodyStream } from '../http/response/api-response.js';

/** The bodies are small documents, and the log-in accepts one without authentication. */
const MAX_BODY_BYTES = 64 * 1_024;

/** 200 with a body that is written while the client reads. @param close releases what the body reads */
export function streamed(
  contentType: string,
  chunks: () => AsyncIterable<string>,
  headers: Readonly<Record<string, string>> = {},
  close: BodyStream['close'] = () => Promise.resolve(),
): ApiResponse {
  return new ApiResponse({
    headers: { 'Content-Type': contentType, 'Cache-Control': 'no-store', ...headers },
    body: { chunks, close },
  });
}

/** What a handler without content produces: nothing that `Accept` could refuse. */
export const NOTHING: readonly Representation[] = [];

const JSON_ONLY: readonly Representation[] = [{ mediaType: JSON_TYPE }];

/**
 * Declares an operation of /admin/api/. Its handler takes JSON, and returns a DTO, a {@link Page} or nothing. There is no
 * OpenAPI document of these operations: the site, their only client, takes the types of the DTOs.
 */
export function AdminOperation(declaration: OperationDeclaration): MethodDecorator {
  return Operation({
    needsSession: true,
    produces: JSON_ONLY,
    ...(!declaration.streams && { maxBodyBytes: MAX_BODY_BYTES }),
    ...declaration,
  });
}
