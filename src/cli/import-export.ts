import type { INestApplicationContext } from '@nestjs/common';
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SqliteFileInUse } from '../database/sqlite/service-lock.js';
import { CSV_TYPE, NDJSON_TYPE } from '../http/protocol/media-type.js';
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
import { type Arguments, type Command, Interrupted, readFile, UsageError } from './command.js';
import { writeNewFile } from './new-file.js';
import { Progress } from './progress.js';

const AUTHOR: Author = { kind: 'command', name: 'import' };

/** The media types of the formats, which are named as file name extensions. */
const FORMATS = new Map([
  ['ndjson', NDJSON_TYPE],
  ['jsonl', NDJSON_TYPE],
  ['csv', CSV_TYPE],
]);

const CHUNK_BYTES = 262_144;

/** Stores the posts of a file, all or none. */
export const importPosts: Command = {
  name: 'import',
  usage: 'FILE [--format ndjson|csv]',
  summary:
    'Store the posts of a file (- is standard input), all or none. A file name that ends in .csv means CSV, any other ' +
    'NDJSON. On SQLite the service must not run; its API imports files, too.',
  options: ['format'],
  takes: 1,

  async run(args, print) {
    const file = readFile(args);
    const mediaType = mediaTypeOf(file, args.options) ?? NDJSON_TYPE;
    const total = file === '-' ? undefined : (await stat(file)).size;
    const { created, ids } = await storePosts(mediaType, (progress, cancel) =>
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
  mediaType: string,
  bytesOfPosts: (progress: Progress, cancel: AbortSignal) => AsyncIterable<Buffer>,
): Promise<ImportResult> {
  return withPosts('Nothing was stored.', async (context, progress, cancel) => {
    const imports = context.get(ImportsService, { strict: false });
    try {
      return await imports.store(
        { body: bytesOfPosts(progress, cancel), mediaType },
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
const EVERYTHING = { filter: {}, ordering: 'id' } as const;

/** Writes a snapshot of all posts to a file. */
export const exportPosts: Command = {
  name: 'export',
  usage: 'FILE [--format ndjson|csv]',
  summary:
    'Write all posts to a new file (- is standard output). The extension of the file name (.ndjson, .jsonl, .csv) gives ' +
    'the format. On SQLite the service must not run; its API exports, too.',
  options: ['format'],
  takes: 1,

  async run(args, print) {
    const file = readFile(args);
    const mediaType = mediaTypeOf(file, args.options) ?? (file === '-' ? NDJSON_TYPE : undefined);
    if (mediaType === undefined)
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
      const representation = LINE_REPRESENTATIONS.find((each) => each.mediaType === mediaType)!;
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
 * Returns the media type of the named format, else that of the file name extension, else undefined.
 *
 * @throws UsageError
 */
function mediaTypeOf(file: string, { format }: Arguments['options']): string | undefined {
  if (format === undefined) return FORMATS.get(extname(file).slice(1).toLowerCase());
  const named = FORMATS.get(format);
  if (named === undefined) throw new UsageError('--format: must be ndjson or csv.');
  return named;
}

/**
 * Runs work on the posts of the database. Ctrl-C aborts its signal, so that it ends cleanly; a second Ctrl-C ends the
 * process at once. The signal is aborted at the end, too, which releases what the work has left open.
 *
 * @param outcome the message after an early end
 */
async function withPosts<Result>(
  outcome: string,
  work: (context: INestApplicationContext, progress: Progress, cancel: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const progress = new Progress();
  const controller = new AbortController();
  const { signal: cancel } = controller;
  const onSignal = (name: 'SIGINT' | 'SIGTERM'): void => controller.abort(new Interrupted(name, outcome));
  try {
    return await withContext(loadSettings(), POSTS, (context) => {
      process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
      return work(context, progress, cancel).finally(() => controller.abort());
    });
  } catch (error) {
    // The work fails for this reason.
    if (cancel.reason instanceof Interrupted) throw cancel.reason;
    if (!(error instanceof SqliteFileInUse)) throw error;
    const place = error.serviceUrl === undefined ? '' : ` at ${error.serviceUrl}`;
    throw new StartFault(
      `The database is open in a running service. Use its API${place}; docs/operations.md shows how.`,
      { cause: error },
    );
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    progress.end();
  }
}
