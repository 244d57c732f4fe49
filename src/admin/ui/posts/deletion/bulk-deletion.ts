import { useEffect, useRef, useState } from 'react';
import { api } from '../../api/client.js';
import { jsonLines } from '../../streams/json-lines.js';
import type { PostFilter } from '../list/list-view.js';

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
  /** Why it did not begin, or did not end. */
  readonly error: unknown;
  readonly isStopped: boolean;
  /** Gives the last line, or nothing when it was stopped or failed. */
  readonly start: (target: BulkDeletionTarget) => Promise<BulkDeletionProgress | undefined>;
  readonly stop: () => void;
}

/** One bulk deletion and how far it is. Leaving the page stops it; what is deleted stays so. */
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
      if (last?.done !== true) throw new Error('The answer ended early.');
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
