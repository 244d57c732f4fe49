import { useState } from 'react';
import type { CreateExportDto } from '../../post-selections.controller.js';
import { api } from '../api/client.js';
import { useStoppable } from '../api/use-stoppable.js';
import type { Query } from '../api/api.js';
import { piecesOf } from '../streams/json-lines.js';
import { numberText } from '../texts/texts.js';
import { countPosts } from './count-posts.js';
import { saveFile } from './save-file.js';

export type ExportFormat = CreateExportDto['format'];

/** The posts to export: `ids`, or all that match the filter. */
export interface ExportRequest {
  readonly format: ExportFormat;
  readonly filter?: Query;
  readonly ids?: readonly number[] | undefined;
}

const FILES: Readonly<Record<ExportFormat, { readonly type: string; readonly extension: string }>> = {
  csv: { type: 'text/csv', extension: 'csv' },
  'csv-semicolon': { type: 'text/csv', extension: 'csv' },
  ndjson: { type: 'application/x-ndjson', extension: 'ndjson' },
};

/** The interval of progress updates. Numbers that change faster cannot be read. */
const REPORT_EVERY_MS = 100;

/** Saves a snapshot of posts to a file, once all of them have arrived. The result is their number. */
export function useExport() {
  const [progress, setProgress] = useState<{ readonly done: number; readonly total: number }>();
  const exporting = useStoppable(
    async ({ format, filter = {}, ids }: ExportRequest, signal): Promise<number> => {
      setProgress(undefined);
      const request = { method: 'POST', query: filter, json: { format, ids }, signal } as const;
      const { body, headers } = await api.send('admin/api/exports/', request);
      const total = Number(headers.get('X-Total-Count'));
      const count = countPosts(format);
      const pieces: Blob[] = [];
      let posts = 0;
      let reportedAt = 0;
      let cause: unknown;
      try {
        for await (const piece of piecesOf(body!)) {
          posts = count(piece);
          pieces.push(new Blob([piece]));
          if (Date.now() - reportedAt < REPORT_EVERY_MS) continue;
          reportedAt = Date.now();
          setProgress({ done: posts, total });
        }
      } catch (error) {
        signal.throwIfAborted();
        cause = error;
      }
      // Over HTTP/1.0, a connection that breaks ends the response like one that is complete.
      if (posts !== total) {
        const counts = `${numberText(posts)} of ${numberText(total)}`;
        throw new Error(`The export broke off after ${counts} posts.`, { cause });
      }
      const { type, extension } = FILES[format];
      const name = `posts-${scopeOf(filter, ids)}-${total}-${timeInName()}.${extension}`;
      saveFile(name, new Blob(pieces, { type }));
      return posts;
    },
  );
  return { ...exporting, progress };
}

/** Which posts a file has, for its name. */
function scopeOf(filter: Query, ids: readonly number[] | undefined): string {
  if (ids) return 'selected';
  return Object.keys(filter).length > 0 ? 'filtered' : 'all';
}

/** `2026-11-28-1435`: the local time, so that the files of a day can be told apart. */
function timeInName(): string {
  // Swedish dates are in the format of ISO 8601.
  return new Date().toLocaleString('sv').slice(0, 16).replace(' ', '-').replace(':', '');
}
