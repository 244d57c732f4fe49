import { Operation, type OperationDeclaration } from '../http/pipeline/operation.decorator.js';
import { JSON_TYPE } from '../http/protocol/media-type.js';
import type { Representation } from '../http/pipeline/route-table.js';
import type { RequestContext } from '../http/request/request-context.js';
import { documentResponse } from '../http/response/document-response.js';

/** The bodies are small documents, and the log-in accepts one without authentication. */
const MAX_BODY_BYTES = 64 * 1_024;

/** Header fields of streamed responses. */
export const NO_STORE = { 'Cache-Control': 'no-store', Vary: 'Accept, Accept-Encoding' } as const;

/** What a handler without content produces: nothing that `Accept` could refuse. */
export const NOTHING: readonly Representation[] = [];

const JSON_ONLY: readonly Representation[] = [{ mediaType: JSON_TYPE }];

interface AdminDeclaration<Value> extends Pick<
  OperationDeclaration,
  | 'name'
  | 'streams'
  | 'takesIdempotencyKey'
  | 'produces'
  | 'check'
  | 'addsFaults'
  | 'respond'
  | 'maxBodyBytes'
> {
  /** The route of the created resource and its parameters, for a 201. */
  readonly location?: (value: Value) => readonly [routeName: string, parameters?: object];
}

/**
 * Declares an operation of /admin/api/. Its handler takes JSON, and returns a DTO, a {@link Page} or nothing. There is no
 * OpenAPI document of these operations: the site, their only client, takes the types of the DTOs.
 */
export function AdminOperation<Value>({
  location,
  ...declaration
}: AdminDeclaration<Value>): MethodDecorator {
  return Operation({
    needsSession: true,
    produces: JSON_ONLY,
    ...(!declaration.streams && { maxBodyBytes: MAX_BODY_BYTES }),
    // Responses of the administration API are private, and other users change the data at any time.
    respond: (value: Value & object, context: RequestContext) =>
      documentResponse(value, context, { cacheControl: 'no-store', location: location?.(value) }),
    ...declaration,
  });
}
