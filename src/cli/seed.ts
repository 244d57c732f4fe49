import { parseArgs } from 'node:util';
import { openPosts } from './command-options.js';
import { type Command, UsageError } from './command.js';
import { interruptible } from './interruption.js';
import { Progress } from './progress.js';
import { samplePosts } from './sample-posts.js';

/** Lines that go together: so many at once cost little each. */
const LINES_IN_CHUNK = 100;

/** Stores posts to play with. */
export const seed: Command = {
  name: 'seed',
  usage: 'COUNT [--url URL]',
  summary:
    'Store sample posts in many languages, all or none; the same ones each time. Where to, as for import.',

  async run(args, print) {
    const { count, url } = readArguments(args);
    const posts = await openPosts(url);
    const progress = new Progress(process.stderr);
    const outcome = url === undefined ? 'Nothing was stored.' : 'The service stores all of it, or nothing.';
    try {
      const { created } = await interruptible(outcome, (cancel) =>
        posts.import(sampleLines(count, progress), cancel, (done, all) =>
          progress.show({ label: 'Storing', posts: done, fraction: done / all }),
        ),
      );
      progress.end();
      print(`${created.toLocaleString('en')} sample posts were stored.`);
    } finally {
      progress.end();
      await posts.close();
    }
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

function readArguments(args: readonly string[]): { count: number; url: string | undefined } {
  const { positionals, values } = parse(args);
  const [text = '', ...others] = positionals;
  if (!/^[1-9]\d{0,8}$/.test(text) || others.length > 0)
    throw new UsageError('How many posts? A number from 1 to 999999999 is needed.');
  return { count: Number(text), url: values.url };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: { url: { type: 'string' } }, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
