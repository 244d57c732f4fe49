import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { lineFeedsIn } from '../http/request/lines.js';
import { type Command, readFile } from './command.js';
import type { Progress } from './progress.js';
import { storePosts } from './store-posts.js';

const CHUNK_BYTES = 262_144;

/** Stores the posts of an NDJSON file, all or none. */
export const importPosts: Command = {
  name: 'import',
  usage: 'FILE [--url URL]',
  summary:
    'Store the posts of an NDJSON file (- is standard input), all or none: in the database, or over the API of the ' +
    'running service at URL, with the first of API_TOKENS.',

  options: ['url'],

  async run(args, print) {
    const file = readFile(args);
    const total = file === '-' ? undefined : (await stat(file)).size;
    const { created, firstId, lastId } = await storePosts(args.options['url'], (progress, cancel) =>
      linesOf(file, total, progress, cancel),
    );
    const ids = created === 0 ? '' : `, with ids from ${firstId} to ${lastId}`;
    print(`${created.toLocaleString('en')} posts were stored${ids}.`);
  },
};

/** The bytes of the file, counted as they go by. */
async function* linesOf(
  file: string,
  totalBytes: number | undefined,
  progress: Progress,
  cancel: AbortSignal,
): AsyncGenerator<Buffer> {
  const input = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: CHUNK_BYTES });
  let posts = 0;
  let bytes = 0;
  const onAbort = (): void => void input.destroy(cancel.reason as Error);
  cancel.addEventListener('abort', onAbort);
  try {
    for await (const chunk of input as AsyncIterable<Buffer>) {
      posts += lineFeedsIn(chunk);
      bytes += chunk.length;
      const fraction = totalBytes === undefined ? undefined : Math.min(1, bytes / totalBytes);
      progress.show({ label: 'Reading', posts, fraction });
      yield chunk;
    }
  } finally {
    cancel.removeEventListener('abort', onAbort);
  }
  progress.show({ label: 'Storing', posts: 0, fraction: undefined });
}
