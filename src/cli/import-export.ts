import type { INestApplicationContext } from '@nestjs/common';
import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SqliteFileInUse } from '../database/sqlite/service-lock.js';
import { CSV_TYPE, NDJSON_TYPE } from '../http/protocol/media-type.js';
import type { Author } from '../http/request/author.js';
import { ImportsService } from '../imports/imports.service.js';
import { LINE_REPRESENTATIONS } from '../posts/formats/list-representations.js';
import { writeList } from '../posts/formats/post-list-representation.js';
import { PostListsService } from '../posts/lists/post-lists.service.js';
import type { ImportResult } from '../posts/post-imports.js';
import type { Problem } from '../problem-details/problem.js';
import { BodyTooLarge, InvalidRequest } from '../problem-details/problems.js';
import { loadSettings } from '../settings/load-settings.js';
import { StartFault } from '../settings/settings.js';
import { POSTS, print, settingsOfExisting, withContext } from './command-context.js';
import { writeNewFile } from './files.js';
import { Progress } from './progress.js';

const AUTHOR: Author = { kind: 'command', name: 'import' };
const after = (_transaction: unknown, result: ImportResult): Promise<ImportResult> => Promise.resolve(result);

/** The media types by file name extension. */
const MEDIA_TYPES = new Map([
  ['.ndjson', NDJSON_TYPE],
  ['.jsonl', NDJSON_TYPE],
  ['.csv', CSV_TYPE],
]);

/** Stores the posts of a file, all or none. */
export async function importPosts(file: string): Promise<void> {
  // A stream that opens the file itself would fail before it is read.
  const input = file === '-' ? process.stdin : (await open(file)).createReadStream();
  const { created, ids } = await storePosts(mediaTypeOf(file) ?? NDJSON_TYPE, input);
  const range = ids ? `, with ids from ${ids.first} to ${ids.last}` : '';
  print(`${created.toLocaleString('en')} posts were stored${range}.`);
}

/**
 * Stores posts in one of the formats, all or none, and shows the progress.
 *
 * @throws Error with the faults of the lines
 */
export function storePosts(mediaType: string, bytes: AsyncIterable<Buffer>): Promise<ImportResult> {
  return withPosts(async (context, progress) => {
    const body = eachShown(bytes, () => progress.show('Reading'));
    const onProgress = (done: number, total: number): void => progress.show('Storing', done / total);
    try {
      const imports = context.get(ImportsService, { strict: false });
      return await imports.store({ body, mediaType, author: AUTHOR, key: '', after, onProgress });
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
export async function exportPosts(file: string): Promise<void> {
  const mediaType = file === '-' ? NDJSON_TYPE : mediaTypeOf(file);
  if (mediaType === undefined) throw new Error('The file name must end in .ndjson, .jsonl or .csv.');
  settingsOfExisting();
  const written = await withPosts(async (context, progress) => {
    // The command blocks no other reader, so the snapshot has no time limit.
    const { signal } = new AbortController();
    const reader = { client: '', signal, lagMs: () => 0, end: () => undefined };
    const lists = context.get(PostListsService, { strict: false });
    const { posts, total } = await lists.stream(EVERYTHING, true, () => reader);
    let done = 0;
    const batches = eachShown(posts.batches(), ({ length }) =>
      progress.show('Writing', (done += length) / total!),
    );
    const representation = LINE_REPRESENTATIONS.find((each) => each.mediaType === mediaType)!;
    const chunks = Readable.from(writeList(representation, batches, { fields: undefined }));
    try {
      await (file === '-'
        ? pipeline(chunks, process.stdout as Writable, { end: false })
        : writeNewFile(resolve(file), 'an export', (path) => pipeline(chunks, createWriteStream(path))));
    } finally {
      await posts.close();
    }
    return total!;
  });
  if (file !== '-') print(`${written.toLocaleString('en')} posts were written to ${resolve(file)}.`);
}

function mediaTypeOf(file: string): string | undefined {
  return MEDIA_TYPES.get(extname(file).toLowerCase());
}

async function* eachShown<Item>(
  items: AsyncIterable<Item>,
  show: (item: Item) => void,
): AsyncGenerator<Item> {
  for await (const item of items) {
    show(item);
    yield item;
  }
}

/** Runs work on the posts of the database, and shows its progress. An import that is killed has stored all or nothing. */
async function withPosts<Result>(
  work: (context: INestApplicationContext, progress: Progress) => Promise<Result>,
): Promise<Result> {
  const progress = new Progress();
  try {
    return await withContext(loadSettings(), POSTS, (context) => work(context, progress));
  } catch (error) {
    if (!(error instanceof SqliteFileInUse)) throw error;
    throw new StartFault(
      'The database is open in a running service. Use its API; docs/operate/operations.md shows how.',
      { cause: error },
    );
  } finally {
    progress.end();
  }
}
