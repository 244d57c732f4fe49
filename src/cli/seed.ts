import { type Arguments, type Command, UsageError } from './command.js';
import { storePosts } from './import.js';
import type { Progress } from './progress.js';
import { samplePosts } from './sample-posts.js';

/** Lines per chunk. Batching makes the cost per line small. */
const LINES_IN_CHUNK = 100;

/** Stores sample posts. */
export const seed: Command = {
  name: 'seed',
  usage: 'COUNT [--url URL]',
  summary:
    'Store sample posts in many languages, all or none; the same ones each time. --url works as for import.',

  options: ['url'],

  async run(args, print) {
    const count = readCount(args);
    const { created } = await storePosts(args.options['url'], 'ndjson', (progress) =>
      sampleLines(count, progress),
    );
    print(`${created.toLocaleString('en')} sample posts were stored.`);
  },
};

async function* sampleLines(count: number, progress: Progress): AsyncGenerator<Buffer> {
  let lines = '';
  let posts = 0;
  for (const post of samplePosts(count)) {
    lines += `${JSON.stringify(post)}\n`;
    posts += 1;
    if (posts % LINES_IN_CHUNK > 0 && posts < count) continue;
    progress.show({ label: 'Writing', posts, fraction: posts / count });
    yield Buffer.from(lines);
    lines = '';
  }
}

function readCount({ others: [text = '', ...more] }: Arguments): number {
  if (!/^[1-9]\d{0,8}$/.test(text) || more.length > 0)
    throw new UsageError('COUNT must be a number from 1 to 999999999.');
  return Number(text);
}
