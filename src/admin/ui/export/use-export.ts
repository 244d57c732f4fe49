import { useEffect, useRef, useState } from 'react';
import { CSV_TYPE, NDJSON_TYPE } from '../../../http/protocol/media-type.js';
import { api } from '../api/client.js';
import { countPosts } from '../api/post-requests.js';
import { POSTS_PATH } from '../api/posts.js';
import { type ExportFormat, type ExportPiece, exportPieces } from './export-lines.js';
import { type NewFile, saveFile } from './save-file.js';

/** The parameters of the posts API that select and order posts. */
export const SELECTION = ['search', 'title', 'pub_date_after', 'pub_date_before', 'id', 'ordering'] as const;
export type Selection = Readonly<Partial<Record<(typeof SELECTION)[number], string>>>;

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
  csv: { mediaType: CSV_TYPE, extension: '.csv' },
  ndjson: { mediaType: NDJSON_TYPE, extension: '.ndjson' },
};

const STOPPED = new DOMException('Stopped', 'AbortError');

/** The interval of progress updates. Numbers that change faster cannot be read. */
const REPORT_EVERY_MS = 100;

/** Saves a snapshot of the selected posts. */
export function useExport(): Export {
  const [state, setState] = useState<ExportState>({ step: 'idle' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(STOPPED), []);

  const update = (part: { posts?: number; total?: number }): void =>
    setState((now) => (now.step === 'running' ? { ...now, ...part } : now));
  const run = async (query: Selection, format: ExportFormat): Promise<void> => {
    const controller = new AbortController();
    const { signal } = controller;
    let posts = 0;
    let lastReportedAt = 0;
    async function* pieces(): AsyncGenerator<ExportPiece['data']> {
      running.current = controller;
      setState({ step: 'running', posts, total: undefined });
      // The count serves only the progress. The export neither waits for it nor fails with it.
      countPosts(query, signal).then(
        (total) => update({ total }),
        () => undefined,
      );
      const { body } = await api.send(POSTS_PATH, { query, headers: { Accept: NDJSON_TYPE }, signal });
      if (!body) throw new Error('The response has no body.');
      for await (const piece of exportPieces(body, format)) {
        signal.throwIfAborted();
        yield piece.data;
        posts += piece.posts;
        if (Date.now() - lastReportedAt < REPORT_EVERY_MS) continue;
        lastReportedAt = Date.now();
        update({ posts });
      }
    }
    try {
      const file = { ...FILES[format], name: fileName(format) };
      if (await saveFile(file, pieces())) setState({ step: 'done', posts });
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
