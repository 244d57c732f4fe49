import { api } from '../api/client.js';
import { POSTS_PATH } from '../api/posts.js';
import { NDJSON_TYPE } from '../import/csv-posts.js';
import { type ExportFormat, exportPieces } from './export-lines.js';
import type { FileSink } from './file-sink.js';

/** The parameters of the posts API that select and order posts. */
export const SELECTION = ['search', 'title', 'pub_date_after', 'pub_date_before', 'id', 'ordering'] as const;
export type Selection = Readonly<Partial<Record<(typeof SELECTION)[number], string>>>;

/**
 * Writes a snapshot of the selected posts to a file. An interrupted export leaves no file.
 *
 * @returns the number of posts written
 */
export async function exportPosts(
  { selection, format, file }: { selection: Selection; format: ExportFormat; file: FileSink },
  { onWritten, signal }: { onWritten: (posts: number) => void; signal: AbortSignal },
): Promise<number> {
  let written = 0;
  try {
    const response = await api.send(POSTS_PATH, {
      query: selection,
      headers: { Accept: NDJSON_TYPE },
      signal,
    });
    if (!response.body) throw new Error('The response has no body.');
    for await (const { data, posts } of exportPieces(response.body, format)) {
      signal.throwIfAborted();
      await file.write(data);
      written += posts;
      onWritten(written);
    }
    await file.close();
    return written;
  } catch (error) {
    await file.abort().catch(() => undefined);
    throw error;
  }
}
