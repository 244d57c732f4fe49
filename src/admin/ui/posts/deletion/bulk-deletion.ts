import { useEffect, useRef, useState } from 'react';
import { api } from '../../api/client.js';
import { jsonLines } from '../../streams/json-lines.js';
import type { PostFilter } from '../list/list-view.js';

/** The posts to delete: ids, or all that match a filter, with the number that the user confirmed. */
export type BulkDeletionTarget =
  { readonly ids: readonly number[] } | { readonly filter: PostFilter; readonly count: number };

export interface BulkDeletionProgress {
  readonly deleted: number;
  readonly total: number;
  readonly done?: true;
  /** In the last line: the deleted posts, if one request can restore them all. */
  readonly post_ids?: readonly number[];
}

/** Deletes posts and yields the progress. When the connection breaks, it ends without a last line. */
async function* deletePosts(
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

export interface BulkDeletion {
  readonly isRunning: boolean;
  readonly progress: BulkDeletionProgress | undefined;
  /** The reason why it did not start or finish. */
  readonly error: unknown;
  readonly isStopped: boolean;
  /** Returns the last line, or undefined when the deletion was stopped or failed. */
  readonly start: (target: BulkDeletionTarget) => Promise<BulkDeletionProgress | undefined>;
  readonly stop: () => void;
}

/** A bulk deletion and its progress. Leaving the page stops it; deleted posts stay deleted. */
export function useBulkDeletion(): BulkDeletion {
  const [isRunning, setRunning] = useState(false);
  const [progress, setProgress] = useState<BulkDeletionProgress>();
  const [error, setError] = useState<unknown>();
  const [isStopped, setStopped] = useState(false);
  const controller = useRef<AbortController>(undefined);
  useEffect(() => () => controller.current?.abort(), []);

  const start = async (target: BulkDeletionTarget): Promise<BulkDeletionProgress | undefined> => {
    controller.current = new AbortController();
    const { signal } = controller.current;
    setRunning(true);
    setError(undefined);
    let last: BulkDeletionProgress | undefined;
    try {
      for await (const line of deletePosts(target, signal)) {
        last = line;
        setProgress(line);
      }
      if (last?.done !== true) throw new Error('The response ended early.');
      return last;
    } catch (failure) {
      if (signal.aborted) setStopped(true);
      else setError(failure);
      return undefined;
    } finally {
      setRunning(false);
    }
  };

  return { isRunning, progress, error, isStopped, start, stop: () => controller.current?.abort() };
}
