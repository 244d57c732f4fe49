import { NDJSON_TYPE } from '../../http/protocol/media-type.js';
import { StreamedResponse } from '../../http/response/streamed-response.js';
import type { BulkProgress } from '../../posts/writes/bulk-deletions.service.js';

/** 200 with a line for each step, as it is made; the deletion goes on as long as somebody reads it. */
export function progressResponse(run: () => AsyncGenerator<BulkProgress>): StreamedResponse {
  return new StreamedResponse(
    { 'Content-Type': NDJSON_TYPE, 'Cache-Control': 'no-store', Vary: 'Accept, Accept-Encoding' },
    undefined,
    {
      async *chunks() {
        for await (const step of run()) yield `${JSON.stringify(toDto(step))}\n`;
      },
      close: () => Promise.resolve(),
    },
  );
}

function toDto({ deleted, total, ids }: BulkProgress): object {
  return ids ? { deleted, total, done: true, post_ids: ids } : { deleted, total };
}
