import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { CreateExportDto } from '../../post-selections.controller.js';
import { api } from '../api/client.js';
import type { ListQuery } from '../shell/list/list-rows.js';
import { piecesOf } from '../streams/json-lines.js';
import { numberText } from '../texts/numbers.js';
import { countPosts } from './count-posts.js';
import { type NewFile, saveFile } from './save-file.js';

export type ExportFormat = CreateExportDto['format'];

/** The posts to export: `ids`, or all that match the filter. */
export interface ExportRequest {
  readonly format: ExportFormat;
  readonly filter?: ListQuery;
  readonly ids?: readonly number[] | undefined;
}

interface ExportProgress {
  readonly posts: number;
  readonly total: number;
}

const FILES: Readonly<Record<ExportFormat, Omit<NewFile, 'name'>>> = {
  csv: { mediaType: 'text/csv', extension: '.csv' },
  ndjson: { mediaType: 'application/x-ndjson', extension: '.ndjson' },
};

/** The interval of progress updates. Numbers that change faster cannot be read. */
const REPORT_EVERY_MS = 100;

/** Saves a snapshot of posts. The result is their number; undefined when no file was chosen. */
export function useExport() {
  const [progress, setProgress] = useState<ExportProgress>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const mutation = useMutation({
    mutationFn: async (request: ExportRequest): Promise<number | undefined> => {
      const { signal } = (running.current = new AbortController());
      setProgress(undefined);
      const file = { ...FILES[request.format], name: fileName(request.format) };
      let saved = 0;
      const report = (now: ExportProgress): void => {
        saved = now.posts;
        setProgress(now);
      };
      return (await saveFile(file, piecesToSave(request, signal, report))) ? saved : undefined;
    },
  });
  return { ...mutation, progress, stop: (): void => running.current?.abort() };
}

/** @throws IncompleteExport, and what `api.send` throws */
async function* piecesToSave(
  { format, filter = {}, ids }: ExportRequest,
  signal: AbortSignal,
  onProgress: (progress: ExportProgress) => void,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const request = { method: 'POST', query: filter, json: { format, ids }, signal } as const;
  const { body, headers } = await api.send('admin/api/exports/', request);
  const total = Number(headers.get('X-Total-Count'));
  const count = countPosts(format);
  let posts = 0;
  let reportedAt = 0;
  try {
    for await (const piece of piecesOf(body!)) {
      posts = count(piece);
      yield piece;
      if (Date.now() - reportedAt < REPORT_EVERY_MS) continue;
      reportedAt = Date.now();
      onProgress({ posts, total });
    }
  } catch (error) {
    signal.throwIfAborted();
    throw new IncompleteExport(posts, total, error);
  }
  // Over HTTP/1.0, a connection that breaks ends the response like one that is complete.
  if (posts !== total) throw new IncompleteExport(posts, total);
  onProgress({ posts, total });
}

class IncompleteExport extends Error {
  constructor(posts: number, total: number, cause?: unknown) {
    super(`The export broke off after ${numberText(posts)} of ${numberText(total)} posts.`, { cause });
  }
}

function fileName(format: ExportFormat): string {
  // Swedish dates are in the format of ISO 8601.
  const day = new Date().toLocaleDateString('sv');
  return `posts-${day}${FILES[format].extension}`;
}
