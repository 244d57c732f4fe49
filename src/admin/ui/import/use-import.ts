import { useEffect, useReducer, useRef } from 'react';
import type { ImportResultDto } from '../../../posts/dto/post.dto.js';
import { randomKey } from '../api/idempotency-key.js';
import { Unreachable } from '../api/problem.js';
import type { ImportFault, PostLines } from './csv-posts.js';
import { type ImportPlan, postLinesOf } from './import-file.js';
import { checkPosts, importPosts } from './import-request.js';

/** The state of the import of a file. */
export type ImportState =
  | { readonly step: 'idle' }
  /** `share` is missing while the service processes the data, because it reports no progress. */
  | { readonly step: 'reading' | 'sending' | 'checking' | 'storing'; readonly share?: number }
  | { readonly step: 'faulty'; readonly faults: readonly ImportFault[] }
  | { readonly step: 'ready'; readonly count: number }
  | { readonly step: 'done'; readonly result: ImportResultDto }
  | { readonly step: 'stopped' }
  | {
      readonly step: 'failed';
      readonly error: unknown;
      /** The response was lost, so the posts may have been stored. */
      readonly isUncertain: boolean;
      /** The number of posts, if they can be sent again. */
      readonly count?: number;
    };

export interface Import {
  readonly state: ImportState;
  readonly isRunning: boolean;
  readonly check: (file: File, plan: ImportPlan) => Promise<void>;
  readonly run: (count: number) => Promise<void>;
  readonly stop: () => void;
  /** Discards the check, because the file or the settings changed. */
  readonly reset: () => void;
}

const STOPPED = new DOMException('Stopped', 'AbortError');

/** Runs the check and the import of a file. */
export function useImport(): Import {
  const [state, set] = useReducer((_: ImportState, next: ImportState) => next, { step: 'idle' });
  const checked = useRef<{ readonly file: File; readonly lines: PostLines; readonly key: string }>(undefined);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(STOPPED), []);

  /** Runs a step of the import, which the user can stop. */
  const attempt = async (
    file: File,
    part: (signal: AbortSignal) => Promise<void>,
    isImport: boolean,
    count?: number,
  ): Promise<void> => {
    const controller = new AbortController();
    running.current?.abort();
    running.current = controller;
    try {
      await part(controller.signal);
    } catch (error) {
      if (running.current !== controller) return;
      if (controller.signal.aborted) set({ step: 'stopped' });
      else {
        const reason = (await hasChanged(file)) ? new FileHasChanged() : error;
        const isUncertain = isImport && reason instanceof Unreachable;
        set({ step: 'failed', error: reason, isUncertain, ...(count !== undefined && { count }) });
      }
    } finally {
      if (running.current === controller) running.current = undefined;
    }
  };

  const sending = (body: Blob, then: 'checking' | 'storing'): ((bytes: number) => void) => {
    set({ step: 'sending', share: 0 });
    return (bytes) =>
      set(bytes >= body.size ? { step: then } : { step: 'sending', share: bytes / body.size });
  };

  return {
    state,
    isRunning: ['reading', 'sending', 'checking', 'storing'].includes(state.step),
    check: (file, plan) =>
      attempt(
        file,
        async (signal) => {
          set({ step: 'reading', share: 0 });
          const onRead = (bytes: number): void => set({ step: 'reading', share: bytes / file.size });
          const lines = await postLinesOf(file, plan, { onRead, signal });
          const { count, faults } = await checkPosts(lines, {
            onSent: sending(lines.body, 'checking'),
            signal,
          });
          const all = [...lines.faults, ...faults].toSorted((a, b) => a.line - b.line);
          if (all.length > 0) return set({ step: 'faulty', faults: all });
          checked.current = { file, lines, key: randomKey() };
          set({ step: 'ready', count });
        },
        false,
      ),
    run: async (count) => {
      if (!checked.current) return;
      const { file, lines, key } = checked.current;
      await attempt(
        file,
        async (signal) => {
          const result = await importPosts(lines, key, { onSent: sending(lines.body, 'storing'), signal });
          set({ step: 'done', result });
        },
        true,
        count,
      );
    },
    stop: () => running.current?.abort(STOPPED),
    reset: () => {
      const controller = running.current;
      running.current = undefined;
      controller?.abort();
      checked.current = undefined;
      set({ step: 'idle' });
    },
  };
}

class FileHasChanged extends Error {
  constructor() {
    super('The file has changed on the disk since you chose it. Choose it again.');
  }
}

/** A browser refuses to read a file that has changed or gone since it was chosen. */
async function hasChanged(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return false;
  } catch {
    return true;
  }
}
