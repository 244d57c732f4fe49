import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { CreateExportDto } from '../../post-selections.controller.js';
import { api } from '../api/client.js';
import type { ListQuery } from '../shell/list/list-rows.js';
import { piecesOf } from '../streams/json-lines.js';
import { numberText } from '../texts/texts.js';
import { countPosts } from './count-posts.js';
import { saveFile } from './save-file.js';

export type ExportFormat = CreateExportDto['format'];

/** The posts to export: `ids`, or all that match the filter. */
export interface ExportRequest {
  readonly format: ExportFormat;
  readonly filter?: ListQuery;
  readonly ids?: readonly number[] | undefined;
}

const MEDIA_TYPES = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const;

/** The interval of progress updates. Numbers that change faster cannot be read. */
const REPORT_EVERY_MS = 100;

/** Saves a snapshot of posts to a file, once all of them have arrived. The result is their number. */
export function useExport() {
  const [progress, setProgress] = useState<{ readonly posts: number; readonly total: number }>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const mutation = useMutation({
    mutationFn: async ({ format, filter = {}, ids }: ExportRequest): Promise<number> => {
      const { signal } = (running.current = new AbortController());
      setProgress(undefined);
      const request = { method: 'POST', query: filter, json: { format, ids }, signal } as const;
      const { body, headers } = await api.send('admin/api/exports/', request);
      const total = Number(headers.get('X-Total-Count'));
      const count = countPosts(format);
      const pieces: Blob[] = [];
      let posts = 0;
      let reportedAt = 0;
      try {
        for await (const piece of piecesOf(body!)) {
          posts = count(piece);
          pieces.push(new Blob([piece]));
          if (Date.now() - reportedAt < REPORT_EVERY_MS) continue;
          reportedAt = Date.now();
          setProgress({ posts, total });
        }
      } catch (error) {
        signal.throwIfAborted();
        throw new IncompleteExport(posts, total, error);
      }
      // Over HTTP/1.0, a connection that breaks ends the response like one that is complete.
      if (posts !== total) throw new IncompleteExport(posts, total);
      // Swedish dates are in the format of ISO 8601.
      const name = `posts-${new Date().toLocaleDateString('sv')}.${format}`;
      saveFile(name, new Blob(pieces, { type: MEDIA_TYPES[format] }));
      return posts;
    },
  });
  return { ...mutation, progress, stop: (): void => running.current?.abort() };
}

class IncompleteExport extends Error {
  constructor(posts: number, total: number, cause?: unknown) {
    super(`The export broke off after ${numberText(posts)} of ${numberText(total)} posts.`, { cause });
  }
}
