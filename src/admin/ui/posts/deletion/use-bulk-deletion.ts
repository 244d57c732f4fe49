import { useEffect, useRef, useState } from 'react';
import { type BulkDeletionProgress, type BulkDeletionTarget, deletePosts } from './bulk-deletion.js';

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
