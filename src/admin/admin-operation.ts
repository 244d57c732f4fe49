import { Operation, type OperationDeclaration } from '../http/request/operation.decorator.js';
import { JSON_TYPE } from '../http/protocol/media-type.js';
import type { Representation } from '../http/request/operation.decorator.js';

/** The bodies are small documents, and the log-in accepts one without authentication. */
const MAX_BODY_BYTES = 64 * 1_024;

/** Header fields of streamed responses. */
export const NO_STORE = { 'Cache-Control': 'no-store' } as const;

/** What a handler without content produces: nothing that `Accept` could refuse. */
export const NOTHING: readonly Representation[] = [];

const JSON_ONLY: readonly Representation[] = [{ mediaType: JSON_TYPE }];

type AdminDeclaration = Pick<
  OperationDeclaration,
  | 'name'
  | 'streams'
  | 'takesIdempotencyKey'
  | 'produces'
  | 'check'
  | 'addsFaults'
  | 'location'
  | 'maxBodyBytes'
>;

/**
 * Declares an operation of /admin/api/. Its handler takes JSON, and returns a DTO, a {@link Page} or nothing. There is no
 * OpenAPI document of these operations: the site, their only client, takes the types of the DTOs.
 */
export function AdminOperation(declaration: AdminDeclaration): MethodDecorator {
  return Operation({
    needsSession: true,
    produces: JSON_ONLY,
    ...(!declaration.streams && { maxBodyBytes: MAX_BODY_BYTES }),
    ...declaration,
  });
}
