import { NDJSON_TYPE } from '../http/protocol/media-type.js';
import { ApiResponse, type BodyStream } from '../http/response/api-response.js';
import type { BulkProgress } from '../bulk-changes/bulk-actions.js';
import { NO_STORE } from './admin-operation.js';

/** A selection of 20,000 ids takes less than a mebibyte. */
export const MAX_SELECTION_BYTES = 1_048_576;

/** 200 with one line per step, as it happens. The action continues while the client reads. */
export function progressResponse(run: () => AsyncGenerator<BulkProgress>): ApiResponse {
  const body: BodyStream = {
    async *chunks() {
      for await (const step of run()) yield `${JSON.stringify(step)}\n`;
    },
    close: () => Promise.resolve(),
  };
  return new ApiResponse({ headers: { 'Content-Type': NDJSON_TYPE, ...NO_STORE }, body });
}

/**
 * What such a response is: `done` of `total` after each batch, one object a line. Posts that another client changed or
 * deleted meanwhile are skipped. The last line has `entry`: the entry of the change log for all of the posts, or null for
 * at most one post.
 */
export const PROGRESS = [{ mediaType: NDJSON_TYPE }] as const;
