import type { Reader } from '../limits/client-quota.js';
import type { ListField } from './lists/list-fields.js';

/** A stream of events. It must be closed. */
export interface EventBody {
  chunks(): AsyncIterable<Buffer>;
  close(): Promise<void>;
}

/** Streams of changes as they happen (Server-Sent Events). The live changes provide them. */
export abstract class PostEvents {
  /**
   * @param since where the stream begins, in the stored form of dates; by default now
   * @param fields of the posts; by default all
   * @throws DeletionsExpired when deletions since then may have been forgotten
   * @throws TooBusy when the client, or all of them, have too many streams
   */
  abstract open(
    since: string | undefined,
    fields: readonly ListField[] | undefined,
    reader: Reader,
  ): Promise<EventBody>;
}
