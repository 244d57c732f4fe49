import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import ts from 'typescript';
import { DOCUMENTED_URL, readRecipes } from './recipes.js';
import { temporaryFolder } from '../test/support/temporary-folder.js';
import { startBuiltService, storePosts } from './support/running-service.js';

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  bash: ['bash', '-euo', 'pipefail'],
  ts: [process.execPath],
  python: ['python3', '-W', 'error'],
};

/** The expected output of each recipe. The ids of the posts may vary. */
const EXPECTED: Readonly<Record<string, RegExp>> = {
  'the-life-of-a-post.bash': /"Hello",.*"Hello again",.*"status":412,/s,
  'all-posts.python': /^1 Post 1\n2 Post 2\n3 Post 3\n/,
  'bulk-import-and-export.bash': /"created":2,/,
  'sync.ts': /^1 Post 1\n2 Post 2\n3 Post 3\n/,
  'sync.python': /^1 Post 1\n2 Post 2\n3 Post 3\n/,
  'retry.ts': /title: 'Once'/,
};

type Recipe = ReturnType<typeof readRecipes>[number];

const recipes = readRecipes();
/** In CI a missing language is a failure. */
const installed = recipes.filter(
  ({ language }) =>
    process.env['CI'] !== undefined || !spawnSync(COMMANDS[language]![0]!, ['--version']).error,
);

/** `Last-Modified` is at least two seconds late: after three, a run of a recipe no longer repeats what came before. */
const untilOver = (): Promise<void> => sleep(3_000);

describe('docs/api/recipes.md', () => {
  let baseUrl: string;
  const folder = temporaryFolder();

  beforeAll(async () => {
    baseUrl = await startBuiltService();
    await storePosts(baseUrl, 3);
  });

  it('has the recipes that are tested here', () => {
    expect(new Set(recipes.map(({ name }) => name))).toEqual(new Set(Object.keys(EXPECTED)));
  });

  /** Runs a recipe in its own folder. @returns its output */
  function run({ name, language, source }: Recipe): string {
    const cwd = join(folder, name);
    mkdirSync(cwd, { recursive: true });
    const file = join(cwd, language === 'ts' ? `${name}.mjs` : name);
    const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 };
    const program = language === 'ts' ? ts.transpile(source, options) : source;
    writeFileSync(file, program.replaceAll(DOCUMENTED_URL, baseUrl));
    const [command, ...args] = COMMANDS[language]!;
    const { status, stdout, stderr } = spawnSync(command!, [...args, file], { cwd, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return stdout;
  }

  it.each(installed)('has $name, which prints the expected output', (recipe) => {
    expect(run(recipe)).toMatch(EXPECTED[recipe.name]!);
  });

  it.each(installed.filter(({ name }) => name.startsWith('sync.')))(
    'has $name, which fetches only the posts changed and deleted since its last run',
    async (recipe) => {
      const post = { title: 'Before', body: '' };
      const headers = { 'Content-Type': 'application/json' };
      const store = { method: 'POST', headers, body: JSON.stringify(post) };
      await untilOver();
      const url = (await fetch(`${baseUrl}/posts/`, store)).headers.get('Location')!;
      const id = /(\d+)\/$/.exec(url)![1]!;
      /** What the recipe prints about this post. Posts of other tests may be from the same second. */
      const printed = (): string[] => run(recipe).match(new RegExp(`^${id} .*`, 'gm')) ?? [];
      expect(printed()).toEqual([`${id} Before`]);
      await untilOver();
      await fetch(url, { method: 'PUT', headers, body: JSON.stringify({ ...post, title: 'After' }) });
      expect(printed()).toEqual([`${id} After`]);
      await untilOver();
      await fetch(url, { method: 'DELETE' });
      expect(printed()).toEqual([`${id} deleted`]);
      await untilOver();
      expect(printed()).toEqual([]);
    },
  );
});
