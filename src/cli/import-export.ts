import type { INestApplicationContext } from '@nestjs/common';
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SqliteFileInUse } from '../database/sqlite/service-lock.js';
import type { Author } from '../http/request/author.js';
import { type ImportResult, ImportsService } from '../imports/imports.service.js';
import { LINE_REPRESENTATIONS } from '../posts/formats/list-representations.js';
import { writeList } from '../posts/formats/post-list-representation.js';
import { PostListsService } from '../posts/lists/post-lists.service.js';
import type { Post } from '../posts/post.entity.js';
import type { Problem } from '../problem-details/problem.js';
import { BodyTooLarge, InvalidRequest } from '../problem-details/problems.js';
import { loadSettings } from '../settings/load-settings.js';
import { StartFault } from '../settings/settings.js';
import { POSTS, settingsOfExisting, withContext } from './command-context.js';
import { type Command, interruptible, readFile, UsageError } from './command.js';
import { writeNewFile } from './new-file.js';
import { Progress } from './progress.js';

const AUTHOR: Author = { kind: 'command', name: 'import' };

const FORMATS = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const;
type Format = keyof typeof FORMATS;

const BY_EXTENSION: Readonly<Record<string, Format>> = {
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.csv': 'csv',
};

const CHUNK_BYTES = 262_144;

/** Stores the posts of a file, all or none. */
export const importPosts: Command = {
  name: 'import',
  usage: 'FILE [--format ndjson|csv]',
  summary:
    'Store the posts of a file (- is standard input), all or none. A file name that ends in .csv means CSV, any other ' +
    'NDJSON. On SQLite the service must not run; its API imports files, too.',
  options: ['format'],

  async run(args, print) {
    const file = readFile(args);
    const format = formatOf(file, args.options['format']) ?? 'ndjson';
    const total = file === '-' ? undefined : (await stat(file)).size;
    const { created, ids } = await storePosts(format, (progress, cancel) =>
      bytesOf(file, total, progress, cancel),
    );
    const range = ids ? `, with ids from ${ids.first} to ${ids.last}` : '';
    print(`${created.toLocaleString('en')} posts were stored${range}.`);
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
 * @param bytesOfPosts the bytes; its arguments report progress and cancel it
 * @throws Error with the faults of the lines
 */
export function storePosts(
  format: Format,
  bytesOfPosts: (progress: Progress, cancel: AbortSignal) => AsyncIterable<Buffer>,
): Promise<ImportResult> {
  return withPosts('Nothing was stored.', async (context, progress, cancel) => {
    const imports = context.get(ImportsService, { strict: false });
    try {
      return await imports.store(
        { body: bytesOfPosts(progress, cancel), mediaType: FORMATS[format] },
        AUTHOR,
        { key: '', after: (_transaction, result) => Promise.resolve(result) },
        { cancel, onProgress: (done, total) => progress.show('Storing', done / total) },
      );
    } catch (error) {
      if (error instanceof InvalidRequest || error instanceof BodyTooLarge)
        throw new Error(`${faultsText(error)}\nNothing was stored.`, { cause: error });
      throw error;
    }
  });
}

/** One line for each fault. */
function faultsText({ errors = [], message }: Problem): string {
  const faults: readonly { line?: number; pointer?: string; detail: string }[] = errors;
  const lines = faults.map(({ line, pointer, detail: fault }) => {
    const place = [line && `line ${line}`, pointer].filter(Boolean).join(', ');
    return place === '' ? fault : `${place}: ${fault}`;
  });
  return lines.join('\n') || message;
}

/** Ordered by id, the order in which the database stores the posts. An import restores the same order. */
const EVERYTHING = {
  filter: {},
  ordering: 'id',
  limit: 0,
  offset: 0,
  cursor: undefined,
  fields: undefined,
} as const;

/** Writes a snapshot of all posts to a file. */
export const exportPosts: Command = {
  name: 'export',
  usage: 'FILE [--format ndjson|csv]',
  summary:
    'Write all posts to a new file (- is standard output). The extension of the file name (.ndjson, .jsonl, .csv) gives ' +
    'the format. On SQLite the service must not run; its API exports, too.',
  options: ['format'],

  async run(args, print) {
    const file = readFile(args);
    const format = formatOf(file, args.options['format']) ?? (file === '-' ? 'ndjson' : undefined);
    if (format === undefined)
      throw new UsageError('The file name has no known extension: give --format ndjson or csv.');
    settingsOfExisting();
    const written = await withPosts('Nothing was written.', async (context, progress, signal) => {
      progress.show('Writing', undefined);
      // The command blocks no other reader, so the snapshot has no time limit.
      const reader = { client: '', signal, lagMs: () => 0, end: () => undefined };
      const lists = context.get(PostListsService, { strict: false });
      const { posts, total } = await lists.stream(EVERYTHING, true, () => reader);
      async function* batches(): AsyncGenerator<readonly Partial<Post>[]> {
        let done = 0;
        for await (const batch of posts.batches()) {
          signal.throwIfAborted();
          yield batch;
          done += batch.length;
          progress.show('Writing', done / total!);
        }
      }
      const representation = LINE_REPRESENTATIONS.find(({ mediaType }) => mediaType === FORMATS[format])!;
      const chunks = Readable.from(writeList(representation, batches(), { fields: undefined }));
      try {
        await (file === '-'
          ? pipeline(chunks, process.stdout as Writable, { end: false, signal })
          : writeNewFile(resolve(file), 'an export', (path) =>
              pipeline(chunks, createWriteStream(path), { signal }),
            ));
      } finally {
        await posts.close();
      }
      return total!;
    });
    if (file !== '-') print(`${written.toLocaleString('en')} posts were written to ${resolve(file)}.`);
  },
};

/**
 * Returns the named format, else the format of the file name extension, else undefined.
 *
 * @throws UsageError
 */
function formatOf(file: string, named: string | undefined): Format | undefined {
  if (named === undefined) return BY_EXTENSION[extname(file).toLowerCase()];
  if (!Object.hasOwn(FORMATS, named)) throw new UsageError('--format: must be ndjson or csv.');
  return named as Format;
}

/** Runs work on the posts of the database that can be interrupted. @param outcome the message after an early end */
async function withPosts<Result>(
  outcome: string,
  work: (context: INestApplicationContext, progress: Progress, cancel: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const progress = new Progress();
  try {
    return await withContext(loadSettings(), { modules: POSTS }, (context) =>
      interruptible(outcome, (cancel) => work(context, progress, cancel)),
    );
  } catch (error) {
    if (!(error instanceof SqliteFileInUse)) throw error;
    const place = error.serviceUrl === undefined ? '' : ` at ${error.serviceUrl}`;
    throw new StartFault(
      `The database is open in a running service. Use its API${place}; docs/operations.md shows how.`,
      { cause: error },
    );
  } finally {
    progress.end();
  }
}
