import { useEffect, useRef, useState } from 'react';
import { countPosts } from '../api/post-requests.js';
import type { ExportFormat } from './export-lines.js';
import { exportPosts, type Selection } from './export-posts.js';
import { type NewFile, openFile } from './file-sink.js';

export type ExportState =
  | { readonly step: 'idle' | 'stopped' }
  /** The total is known only after the start. */
  | { readonly step: 'running'; readonly posts: number; readonly total: number | undefined }
  | { readonly step: 'done'; readonly posts: number }
  | { readonly step: 'failed'; readonly error: unknown };

export interface Export {
  readonly state: ExportState;
  readonly run: (selection: Selection, format: ExportFormat) => Promise<void>;
  readonly stop: () => void;
}

const FILES: Readonly<Record<ExportFormat, Omit<NewFile, 'name'>>> = {
  csv: { mediaType: 'text/csv', extension: '.csv' },
  ndjson: { mediaType: 'application/x-ndjson', extension: '.ndjson' },
};

const STOPPED = new DOMException('Stopped', 'AbortError');

/** The interval of progress updates. Numbers that change faster cannot be read. */
const REPORT_EVERY_MS = 100;

export function useExport(): Export {
  const [state, setState] = useState<ExportState>({ step: 'idle' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(STOPPED), []);

  const run = async (selection: Selection, format: ExportFormat): Promise<void> => {
    const controller = new AbortController();
    const { signal } = controller;
    try {
      const file = await openFile({ ...FILES[format], name: fileName(format) });
      if (!file) return;
      running.current = controller;
      let lastReportedAt = 0;
      setState({ step: 'running', posts: 0, total: undefined });
      // The count serves only the progress. The export neither waits for it nor fails with it.
      countPosts(selection, signal).then(
        (total) => setState((now) => (now.step === 'running' ? { ...now, total } : now)),
        () => undefined,
      );
      const onWritten = (posts: number): void => {
        if (Date.now() - lastReportedAt < REPORT_EVERY_MS) return;
        lastReportedAt = Date.now();
        setState((now) => (now.step === 'running' ? { ...now, posts } : now));
      };
      const posts = await exportPosts({ selection, format, file }, { onWritten, signal });
      setState({ step: 'done', posts });
    } catch (error) {
      setState(signal.aborted ? { step: 'stopped' } : { step: 'failed', error });
    } finally {
      running.current = undefined;
    }
  };

  return { state, run, stop: () => running.current?.abort(STOPPED) };
}

function fileName(format: ExportFormat): string {
  const now = new Date();
  const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
  return `posts-${day}${FILES[format].extension}`;
}
