import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SqliteFileInUse } from '../database/sqlite/service-lock.js';
import { loadSettings } from '../settings/load-settings.js';
import { StartFault } from '../settings/settings.js';
import { POSTS, settingsOfExisting, withContext } from './command-context.js';
import { type Command, interruptible, readFile, UsageError } from './command.js';
import { DatabaseAccess } from './database-access.js';
import { writeNewFile } from './new-file.js';
import { type Format, formatOf, type Imported, type PostsAccess, type Watch } from './posts-access.js';
import { Progress } from './progress.js';
import { ServiceAccess } from './service-access.js';

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
    const stored = await storePosts(url, format, (progress, cancel) =>
      bytesOf(file, total, progress, cancel),
    );
    const ids = stored.created === 0 ? '' : `, with ids from ${stored.first_id} to ${stored.last_id}`;
    print(`${stored.created.toLocaleString('en')} posts were stored${ids}.`);
  },
};

async function* bytesOf(
  file: string,
  total: number | undefined,
  progress: Progress,
  cancel: AbortSignal,
): AsyncGenerator<Buffer> {
  const input = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: CHUNK_BYTES });
  cancel.addEventListener('abort', () => input.destroy(cancel.reason as Error));
  let bytes = 0;
  for await (const chunk of input as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    progress.show('Reading', total && Math.min(1, bytes / total));
    yield chunk;
  }
  progress.show('Storing', undefined);
}

/**
 * Stores posts in one of the formats, all or none, and shows the progress.
 *
 * @param url of a running service; without it, the posts go to the database of the settings
 * @param bytesOfPosts the bytes; its arguments report progress and cancel it
 * @throws UsageError
 * @throws ImportRefused
 */
export function storePosts(
  url: string | undefined,
  format: Format,
  bytesOfPosts: (progress: Progress, cancel: AbortSignal) => AsyncIterable<Buffer>,
): Promise<Imported> {
  const outcome = url === undefined ? 'Nothing was stored.' : 'The service stores all of it, or nothing.';
  return withPosts(url, { outcome, label: 'Storing' }, (posts, progress, watch) =>
    posts.import(bytesOfPosts(progress, watch.cancel), format, watch),
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
    const shown = { outcome: 'Nothing was written.', label: 'Writing' };
    const written = await withPosts(url, shown, async (posts, progress, watch) => {
      progress.show('Writing', undefined);
      const { total, chunks } = await posts.export(format, watch);
      const signal = watch.cancel;
      await (file === '-'
        ? pipeline(Readable.from(chunks), process.stdout as Writable, { end: false, signal })
        : writeNewFile(resolve(file), 'an export', (path) =>
            pipeline(Readable.from(chunks), createWriteStream(path), { signal }),
          ));
      return total;
    });
    if (file !== '-') print(`${written.toLocaleString('en')} posts were written to ${resolve(file)}.`);
  },
};

/** Runs work on the posts of the service at the URL, or else of the database, and shows its progress. */
async function withPosts<Result>(
  url: string | undefined,
  { outcome, label }: { outcome: string; label: string },
  work: (posts: PostsAccess, progress: Progress, watch: Watch) => Promise<Result>,
): Promise<Result> {
  const settings = loadSettings();
  const progress = new Progress();
  const run = (posts: PostsAccess): Promise<Result> =>
    interruptible(outcome, (cancel) =>
      work(posts, progress, { cancel, onProgress: (done, total) => progress.show(label, done / total) }),
    );
  try {
    if (url !== undefined) return await run(new ServiceAccess(url, settings.apiTokens[0]));
    return await withContext(settings, { modules: POSTS }, (context) => run(new DatabaseAccess(context)));
  } catch (error) {
    if (!(error instanceof SqliteFileInUse)) throw error;
    throw new StartFault(
      `The database is open in a running service. Use its API: --url ${error.serviceUrl ?? 'and its address'}`,
      { cause: error },
    );
  } finally {
    progress.end();
  }
}
