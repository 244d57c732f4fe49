import { finish } from './bulk.js';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformSync } from 'rolldown/utils';
import { DOCUMENTED_URL, readRecipes } from '../../consumers/recipes.js';
import { BulkChangesService } from '../../src/bulk-changes/bulk-changes.service.js';
import { ANONYMOUS } from '../../src/http/request/author.js';
import type { PostJson } from './posts.js';
import { randomNumbers } from './random-numbers.js';
import type { Service } from './service.js';

/** A copy of the posts that a program of docs/recipes.md keeps. */
class RecipeCopy {
  private constructor(
    private readonly command: string,
    private readonly folder: string,
    private readonly program: string,
  ) {}

  /** @param language `ts` or `python` */
  static async make(language: string, { baseUrl }: Service): Promise<RecipeCopy> {
    const recipe = readRecipes().find(({ name }) => name === `sync.${language}`)!;
    const source = language === 'ts' ? transformSync('sync.ts', recipe.source).code : recipe.source;
    const folder = await mkdtemp(join(tmpdir(), 'posts-copy-'));
    const program = join(folder, language === 'ts' ? 'sync.mjs' : 'sync.py');
    await writeFile(program, source.replaceAll(DOCUMENTED_URL, baseUrl));
    return new RecipeCopy(language === 'ts' ? process.execPath : 'python3', folder, program);
  }

  async sync(): Promise<void> {
    const child = spawn(this.command, [this.program], {
      cwd: this.folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [status] = (await once(child, 'exit')) as [number];
    expect(status).toBe(0);
  }

  /** The copied posts, by their ids. */
  async posts(): Promise<Map<number, PostJson>> {
    const { posts } = JSON.parse(await readFile(join(this.folder, 'copy.json'), 'utf8')) as {
      posts: PostJson[];
    };
    return new Map(posts.map((post) => [post.id, post]));
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true });
  }
}

/** How often a copy is synchronised while the writers run. */
const SYNCS = 5;

/**
 * Expects that a copy is true after four writers.
 *
 * @param reader the instance that the copy reads
 * @param writer the instance that the writers use
 */
export async function expectTrueCopy(language: string, reader: Service, writer: Service): Promise<void> {
  const copy = await RecipeCopy.make(language, reader);
  const stop = new AbortController();
  const writers = [1, 2, 3, 4].map((seed) => writeAtRandom(writer, seed, stop.signal));
  for (let run = 0; run < SYNCS; run++) await copy.sync();
  stop.abort();
  await Promise.all(writers);
  await copy.sync();
  expect(await copy.posts()).toEqual(await allPosts(writer));
  await copy.remove();
}

/** All posts of the service, by their ids. */
async function allPosts(service: Service): Promise<Map<number, PostJson>> {
  const { text } = await service.get('/posts/', { Accept: 'application/x-ndjson' });
  const posts = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as PostJson]));
  return new Map(posts.map((post) => [post.id, post]));
}

/** Creates, replaces, deletes, restores and imports posts at random until the signal. */
async function writeAtRandom(service: Service, seed: number, stop: AbortSignal): Promise<void> {
  const random = randomNumbers(seed);
  const bulkChanges = service.app.get(BulkChangesService, { strict: false });
  const living: PostJson[] = [];
  const deleted: number[] = [];
  const take = <Value>(values: Value[]): Value => values.splice(random(values.length), 1)[0]!;
  const pathOf = ({ id }: PostJson): string => `/posts/${id}/`;
  for (let round = 0; !stop.aborted; round++) {
    const title = `${seed}.${round}`;
    const choice = random(20);
    if (choice === 0) {
      const lines = Array.from({ length: 50 }, (_, line) =>
        JSON.stringify({ title: `${title}.${line}`, body: '' }),
      );
      await service.import(lines.join('\n'));
    } else if (choice < 7 || living.length === 0) {
      living.push(await service.create({ title }));
    } else if (choice < 12) {
      await service.put(pathOf(living[random(living.length)]!), { title, body: 'replaced' });
    } else if (choice < 17 || deleted.length === 0) {
      const post = take(living);
      await service.delete(pathOf(post));
      deleted.push(post.id);
    } else {
      const id = take(deleted);
      await finish(bulkChanges.restorePosts({ ids: [id] }, ANONYMOUS));
      living.push({ id } as PostJson);
    }
  }
}
