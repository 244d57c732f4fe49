import { api } from '../../api/client.js';
import { jsonLines } from '../../streams/json-lines.js';
import type { PostFilter } from '../list/list-state.js';

/** Which posts: these, or all that match, of which there were so many when the person agreed. */
export type BulkDeletionTarget =
  { readonly ids: readonly number[] } | { readonly filter: PostFilter; readonly count: number };

export interface BulkDeletionProgress {
  readonly deleted: number;
  readonly total: number;
  readonly done?: true;
  /** With the last: what was deleted, when that is no more than can be restored at once. */
  readonly post_ids?: readonly number[];
}

/** Deletes posts and tells how far it is; ends early without a last line when the connection breaks. */
export async function* deletePosts(
  target: BulkDeletionTarget,
  signal: AbortSignal,
): AsyncGenerator<BulkDeletionProgress> {
  const response = await api.send('admin/api/bulk-deletions/', {
    method: 'POST',
    json: target,
    headers: { Accept: 'application/x-ndjson, application/problem+json;q=0.5' },
    signal,
  });
  if (response.body) yield* jsonLines<BulkDeletionProgress>(response.body);
}
