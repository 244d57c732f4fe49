import type { Type } from '@nestjs/common';
import { type Access, Operation, type OperationDeclaration } from '../http/pipeline/operation.decorator.js';
import { JSON_TYPE } from '../http/protocol/media-type.js';
import type { RequestContext } from '../http/request/request-context.js';
import { LIMIT_RULE, MAX_LIMIT } from '../http/request/validation.js';
import { documentResponse } from '../http/response/document-response.js';
import type { MediaDocs, ResponseDocs } from '../openapi/operation-docs.js';
import { DATABASE_BUSY, UNKNOWN_PARAMETER } from '../openapi/problem-response.js';
import { InvalidRequest } from '../problem-details/problems.js';

/** The bodies are small documents, and the log-in accepts one without authentication. */
const MAX_BODY_BYTES = 64 * 1_024;

/** Header fields of streamed responses. */
export const NO_STORE = { 'Cache-Control': 'no-store', Vary: 'Accept, Accept-Encoding' } as const;

type Location<Value> = (value: Value) => readonly [routeName: string, parameters?: object];

interface AdminDeclaration<Value> extends Omit<OperationDeclaration, 'respond'> {
  /** Required: each operation decides who has access. */
  readonly access: Exclude<Access, 'write'>;
  /** The URL of the created resource, for a 201. */
  readonly location?: Location<Value>;
  readonly respond?: OperationDeclaration['respond'];
}

/** The shape of a date and time in a response. */
export const DATE_TIME = { type: String, format: 'date-time', example: '2026-11-20T14:40:00.123Z' } as const;

/** Declares an operation of /admin/api/. Its handler returns a DTO, a {@link Page} or nothing. */
export function AdminOperation<Value>({
  location,
  problems = { unknownParameter: UNKNOWN_PARAMETER },
  ...declaration
}: AdminDeclaration<Value>): MethodDecorator {
  const takesJson = declaration.body?.content[JSON_TYPE] !== undefined;
  return Operation({
    ...(takesJson && { maxBodyBytes: MAX_BODY_BYTES }),
    // Responses of the administration API are private, and other users change the data at any time.
    respond: (value: Value & object, context: RequestContext) =>
      documentResponse(value, context, { cacheControl: 'no-store', location: location?.(value) }),
    ...declaration,
    // Every operation uses the database.
    problems: { ...problems, databaseBusy: DATABASE_BUSY },
  });
}

export const FAULTY_LIST_QUERY = new InvalidRequest([
  { detail: LIMIT_RULE, code: 'out_of_range', limit: MAX_LIMIT, parameter: 'limit' },
]);

/** Documents a JSON response that must not be stored. Without an example, the schema's example is shown. */
export function aJson(description: string, type: MediaDocs['type'], example?: unknown): ResponseDocs {
  return {
    description,
    headers: ['Cache-Control', 'Vary', 'Content-Encoding'],
    content: { [JSON_TYPE]: { type, ...(example !== undefined && { example }) } },
  };
}

/** Documents a 201 response with its Location field. */
export function aCreation(docs: ResponseDocs): ResponseDocs {
  return { ...docs, headers: ['Location', ...docs.headers!] };
}

export function aList(description: string, item: Type, examples: readonly object[]): ResponseDocs {
  const docs = aJson(description, [item], examples);
  return { ...docs, headers: ['Link', ...docs.headers!] };
}
