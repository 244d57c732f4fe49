import type { BulkProgress } from '../bulk-changes/bulk-changes.service.js';
import { ApiResponse, Operation } from '../http/index.js';
import { JSON_TYPE, NDJSON_TYPE } from '../http/protocol/index.js';

/** The bodies are small documents, and the log-in accepts one without authentication. */
const MAX_BODY_BYTES = 64 * 1_024;
/** A selection of 20,000 ids takes less than this. */
export const MAX_SELECTION_BYTES = 1_048_576;

/** 200 with a body that is written while the client reads. @param close releases what the body reads */
export function streamed(
  contentType: string,
  chunks: () => AsyncIterable<string>,
  headers: Readonly<Record<string, string>> = {},
  close?: () => Promise<void>,
): ApiResponse {
  return new ApiResponse({
    headers: { 'Content-Type': contentType, 'Cache-Control': 'no-store', ...headers },
    body: { chunks, close },
  });
}

/** The body and the response of a change of many posts. */
export const BULK_CHANGE = {
  maxBodyBytes: MAX_SELECTION_BYTES,
  produces: [{ mediaType: NDJSON_TYPE }],
} as const;

/**
 * 200 for a change of many posts, in batches between which other requests run. The response has one object a line, after
 * each batch: `done` of `total`. The last line has `entry`: the entry of the change log for all of the posts, or null
 * for at most one post. The change ends when the client disconnects. Posts that others changed meanwhile are skipped.
 */
export function progressResponse(progress: AsyncGenerator<BulkProgress>): ApiResponse {
  return streamed(NDJSON_TYPE, async function* () {
    for await (const step of progress) yield `${JSON.stringify(step)}\n`;
  });
}

/** What a handler without content produces: nothing that `Accept` could refuse. */
export const NO_CONTENT = [] as const;

const JSON_ONLY = [{ mediaType: JSON_TYPE }] as const;

/**
 * Declares an operation of /admin/api/. Its handler takes JSON, and returns a DTO, a {@link Page} or nothing. There is no
 * OpenAPI document of these operations: the site, their only client, takes the types of the DTOs.
 */
export function AdminOperation(declaration: Parameters<typeof Operation>[0]): MethodDecorator {
  return Operation({
    isPrivate: true,
    produces: JSON_ONLY,
    ...(!declaration.streams && { maxBodyBytes: MAX_BODY_BYTES }),
    ...declaration,
  });
}
