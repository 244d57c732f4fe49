import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { transformSync } from 'rolldown/utils';
import { DOCUMENTED_URL, readRecipes } from '../../consumers/recipes.js';
import { BulkChangesService } from '../../src/bulk-changes/bulk-changes.service.js';
import { ANONYMOUS_USER } from '../../src/users/user.js';
import type { PostJson } from './posts.js';
import { randomNumbers } from './properties.js';
import type { Service } from './service.js';
import { temporaryFolder } from './temporary-folder.js';

/**
 * A copy of the posts that a program of docs/api/recipes.md keeps.
 *
 * @param language `ts` or `python`
 * @returns brings the copy up to date, and returns its posts in the order of their ids
 */
async function makeCopy(language: string, { baseUrl }: Service): Promise<() => Promise<PostJson[]>> {
  const { source } = readRecipes().find(({ name }) => name === `sync.${language}`)!;
  const code = language === 'ts' ? transformSync('sync.ts', source).code : source;
  const [command, program] = language === 'ts' ? [process.execPath, 'sync.mjs'] : ['python3', 'sync.py'];
  const folder = temporaryFolder();
  await writeFile(join(folder, program), code.replaceAll(DOCUMENTED_URL, baseUrl));
  return async () => {
    await promisify(execFile)(command, [program], { cwd: folder });
    const copy = JSON.parse(await readFile(join(folder, 'copy.json'), 'utf8')) as { posts: PostJson[] };
    return copy.posts.toSorted((a, b) => a.id - b.id);
  };
}

/** How often a copy is synchronised while the writers run. */
const SYNCS = 4;

/**
 * Expects that a copy is true after four writers.
 *
 * @param reader the instance that the copy reads
 * @param writer the instance that the writers use
 */
export async function expectTrueCopy(language: string, reader: Service, writer: Service): Promise<void> {
  const sync = await makeCopy(language, reader);
  const stop = new AbortController();
  const writers = [1, 2, 3, 4].map((seed) => writeAtRandom(writer, seed, stop.signal));
  for (let run = 0; run < SYNCS; run++) await sync();
  stop.abort();
  await Promise.all(writers);
  const { text } = await writer.get('/posts/?ordering=id', { Accept: 'application/x-ndjson' });
  const lines = text.split('\n').filter(Boolean);
  expect(await sync()).toEqual(lines.map((line) => JSON.parse(line) as unknown));
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
      await service.import(`${JSON.stringify({ title, body: '' })}\n`.repeat(50));
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
      for await (const _ of await bulkChanges.restorePosts({ ids: [id] }, ANONYMOUS_USER, {
        name: 'a client',
      }));
      living.push({ id } as PostJson);
    }
  }
}
