import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { openPosts, settingsOfExisting, withProgress } from './command-database.js';
import { type Command, interruptible, readFile, UsageError } from './command.js';
import { writeNewFile } from './new-file.js';
import { type Format, formatOf, type PostsExport, rowCounter } from './posts-access.js';
import type { Progress } from './progress.js';

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
