import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { openPosts, settingsOfExisting, withProgress } from './command-database.js';
import { type Command, interruptible, readFile, UsageError } from './command.js';
import { writeNewFile } from './new-file.js';
import { type Format, formatOf, type Imported, type PostsExport, rowCounter } from './posts-access.js';
import type { Progress } from './progress.js';

const CHUNK_BYTES = 262_144;

/** Stores the posts of a file, all or none. */
export const importPosts: Command = {
  name: 'import',
  usage: 'FILE [--format ndjson|csv] [--url URL]',
  summary:
    'Store the posts of a file (- is standard input), all or none: in the database, or over the API of the running ' +
    'service at URL, with the first of API_TOKENS. A file name that ends in .csv means CSV, any other NDJSON.',

  options: ['format', 'url'],

  async run(args, print) {
    const file = readFile(args);
    const { format: named, url } = args.options;
    const format = formatOf(file, named) ?? 'ndjson';
    const total = file === '-' ? undefined : (await stat(file)).size;
    const { created, firstId, lastId } = await storePosts(url, format, (progress, cancel) =>
      bytesOf({ file, format, total }, progress, cancel),
    );
    const ids = created === 0 ? '' : `, with ids from ${firstId} to ${lastId}`;
    print(`${created.toLocaleString('en')} posts were stored${ids}.`);
  },
};

/** Passes the bytes of the file on and counts the posts. */
async function* bytesOf(
  { file, format, total }: { file: string; format: Format; total: number | undefined },
  progress: Progress,
  cancel: AbortSignal,
): AsyncGenerator<Buffer> {
  const input = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: CHUNK_BYTES });
  const countRows = rowCounter(format);
  // The first row of CSV holds the column names.
  let posts = format === 'csv' ? -1 : 0;
  let bytes = 0;
  const onAbort = (): void => void input.destroy(cancel.reason as Error);
  cancel.addEventListener('abort', onAbort);
  try {
    for await (const chunk of input as AsyncIterable<Buffer>) {
      posts += countRows(chunk);
      bytes += chunk.length;
      const fraction = total === undefined ? undefined : Math.min(1, bytes / total);
      progress.show({ label: 'Reading', posts: Math.max(0, posts), fraction });
      yield chunk;
    }
  } finally {
    cancel.removeEventListener('abort', onAbort);
  }
  progress.show({ label: 'Storing', posts: 0, fraction: undefined });
}

/**
 * Stores posts in one of the formats, all or none, and shows the progress.
 *
 * @param url of a running service; without it, the posts go to the database of the settings
 * @param bytesOfPosts the bytes; its arguments report progress and cancel it
 * @throws UsageError
 * @throws ImportRefused
 */
export async function storePosts(
  url: string | undefined,
  format: Format,
  bytesOfPosts: (progress: Progress, cancel: AbortSignal) => AsyncIterable<Buffer>,
): Promise<Imported> {
  const outcome = url === undefined ? 'Nothing was stored.' : 'The service stores all of it, or nothing.';
  return withProgress(await openPosts(url), (posts, progress) =>
    interruptible(outcome, (cancel) =>
      posts.import(bytesOfPosts(progress, cancel), format, cancel, (done, all) =>
        progress.show({ label: 'Storing', posts: done, fraction: done / all }),
      ),
    ),
  );
}

/** Writes a snapshot of all posts to a file. */
export const exportPosts: Command = {
  name: 'export',
  usage: 'FILE [--format ndjson|csv] [--url URL]',
  summary:
    'Write all posts of the database, or of the running service at URL, to a new file (- is standard output). The ' +
    'extension of the file name (.ndjson, .jsonl, .csv) gives the format.',

  options: ['format', 'url'],

  async run(args, print) {
    const file = readFile(args);
    const { format: named, url } = args.options;
    const format = formatOf(file, named) ?? (file === '-' ? 'ndjson' : undefined);
    if (format === undefined)
      throw new UsageError('The file name has no known extension: give --format ndjson or csv.');
    if (url === undefined) settingsOfExisting();
    const written = await withProgress(await openPosts(url), (posts, progress) =>
      interruptible('Nothing was written.', async (cancel) => {
        const source = await posts.export(format, cancel);
        try {
          const chunks = counted(source, format, progress);
          await (file === '-'
            ? pipeline(Readable.from(chunks), process.stdout as Writable, { end: false, signal: cancel })
            : writeNewFile(resolve(file), 'an export', (path) =>
                pipeline(Readable.from(chunks), createWriteStream(path), { signal: cancel }),
              ));
          return source.total;
        } finally {
          await source.close();
        }
      }),
    );
    if (file !== '-') print(`${written.toLocaleString('en')} posts were written to ${resolve(file)}.`);
  },
};

/** Passes the bytes on and counts the posts. @throws when the stream ends before the last post */
async function* counted(
  { total, chunks }: PostsExport,
  format: Format,
  progress: Progress,
): AsyncGenerator<Uint8Array> {
  const count = rowCounter(format);
  let rows = 0;
  for await (const chunk of chunks) {
    rows += count(chunk);
    const posts = Math.max(0, format === 'csv' ? rows - 1 : rows);
    progress.show({ label: 'Writing', posts, fraction: total === 0 ? 1 : posts / total });
    yield chunk;
  }
  const expected = format === 'csv' ? total + 1 : total;
  if (rows !== expected) throw new Error(`Only ${rows} of ${expected} lines arrived.`);
}
