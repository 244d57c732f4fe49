import { useEffect, useRef, useState } from 'react';
import type { CreateExportDto } from '../../post-selections.controller.js';
import { api } from '../api/client.js';
import type { ListQuery } from '../shell/list/list-rows.js';
import { piecesOf } from '../streams/json-lines.js';
import { type NewFile, saveFile } from './save-file.js';

export type ExportFormat = CreateExportDto['format'];

export type ExportState =
  | { readonly step: 'idle' | 'stopped' }
  | { readonly step: 'running'; readonly bytes: number }
  | { readonly step: 'done'; readonly posts: number }
  | { readonly step: 'failed'; readonly error: unknown };

const FILES: Readonly<Record<ExportFormat, Omit<NewFile, 'name'>>> = {
  csv: { mediaType: 'text/csv', extension: '.csv' },
  ndjson: { mediaType: 'application/x-ndjson', extension: '.ndjson' },
};

/** The interval of progress updates. Numbers that change faster cannot be read. */
const REPORT_EVERY_MS = 100;

/** Saves a snapshot of posts. */
export function useExport() {
  const [state, setState] = useState<ExportState>({ step: 'idle' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  /** @param ids the posts; without them, all that match the filter */
  const run = async (format: ExportFormat, filter: ListQuery, ids?: readonly number[]): Promise<void> => {
    const controller = new AbortController();
    const { signal } = controller;
    let saved = 0;
    async function* pieces(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
      running.current = controller;
      setState({ step: 'running', bytes: 0 });
      const request = { method: 'POST', query: filter, json: { format, ids }, signal } as const;
      const { body, headers } = await api.send('admin/api/exports/', request);
      saved = Number(headers.get('X-Total-Count'));
      let bytes = 0;
      let reportedAt = 0;
      for await (const piece of piecesOf(body!)) {
        yield piece;
        bytes += piece.length;
        if (Date.now() - reportedAt < REPORT_EVERY_MS) continue;
        reportedAt = Date.now();
        setState({ step: 'running', bytes });
      }
    }
    try {
      const file = { ...FILES[format], name: fileName(format) };
      if (await saveFile(file, pieces())) setState({ step: 'done', posts: saved });
    } catch (error) {
      setState(signal.aborted ? { step: 'stopped' } : { step: 'failed', error });
    } finally {
      running.current = undefined;
    }
  };

  return { state, run, stop: (): void => running.current?.abort() };
}

function fileName(format: ExportFormat): string {
  // Swedish dates are in the format of ISO 8601.
  const day = new Date().toLocaleDateString('sv');
  return `posts-${day}${FILES[format].extension}`;
}
