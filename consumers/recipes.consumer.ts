import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import ts from 'typescript';
import { DOCUMENTED_URL, readRecipes } from './recipes.js';
import { freshPostgresDatabase } from '../test/support/database.js';
import { PostgresServer } from '../test/support/postgres-server.js';
import { temporaryFolder } from '../test/support/temporary-folder.js';
import { poll } from '../test/support/until.js';
import { startBuiltService, startStoppableService, storePosts } from './support/running-service.js';

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  bash: ['bash', '-euo', 'pipefail'],
  ts: [process.execPath],
  python: ['python3', '-W', 'error'],
};

/** The expected output of each recipe. The ids of the posts may vary. */
const EXPECTED: Readonly<Record<string, RegExp>> = {
  'the-life-of-a-post.bash': /"Hello",.*"Hello again",.*"status":412,/s,
  'all-posts.python': /^1 Post 1\n2 Post 2\n3 Post 3\n/m,
  'bulk-import-and-export.bash': /"created":2,/,
  'change-and-merge.ts': /^1 checked\n2 checked\n3 checked\n$/,
  'an-import-that-can-run-again.python': /'created': 2, 'replaced': 0, 'unchanged': 0,/,
  'sync.ts': /^1 Post 1\n2 Post 2\n3 Post 3\n/m,
  'sync.python': /^1 Post 1\n2 Post 2\n3 Post 3\n/m,
  'retry.ts': /title: 'Once'/,
};

/** Recipes that do not end: they listen to changes. */
const LISTENING = ['rebuild-on-change.ts', 'rebuild-on-change.bash', 'rebuild-on-change.python'];

type Recipe = ReturnType<typeof readRecipes>[number];

const recipes = readRecipes();
/** In CI a missing language is a failure. */
const installed = recipes.filter(
  ({ language }) =>
    process.env['CI'] !== undefined || !spawnSync(COMMANDS[language]![0]!, ['--version']).error,
);

/** `Last-Modified` is at least two seconds late: after three, a run of a recipe no longer repeats what came before. */
const untilOver = (): Promise<void> => sleep(3_000);

const postgres = await PostgresServer.start();
afterAll(() => postgres.remove());

/** The settings of a service on an empty database. */
async function settingsFor(kind: 'SQLite' | 'PostgreSQL'): Promise<Readonly<Record<string, string>>> {
  return kind === 'SQLite' ? {} : { DATABASE_URL: (await freshPostgresDatabase(postgres.url())).url };
}

describe('docs/api/recipes.md', () => {
  it('has the recipes that are tested here', () => {
    expect(new Set(recipes.map(({ name }) => name))).toEqual(
      new Set([...Object.keys(EXPECTED), ...LISTENING]),
    );
  });
});

describe.each(['SQLite', 'PostgreSQL'] as const)('docs/api/recipes.md, on %s,', (kind) => {
  let baseUrl: string;
  const folder = temporaryFolder();

  beforeAll(async () => {
    baseUrl = await startBuiltService(await settingsFor(kind));
    await storePosts(baseUrl, 3);
  });

  /** Writes a recipe to its own folder. @returns the command that runs it, and the folder */
  function prepare({ name, language, source }: Recipe): {
    command: string;
    args: string[];
    cwd: string;
  } {
    const cwd = join(folder, name);
    mkdirSync(cwd, { recursive: true });
    const file = join(cwd, language === 'ts' ? `${name}.mjs` : name);
    const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 };
    const program = language === 'ts' ? ts.transpile(source, options) : source;
    writeFileSync(file, program.replaceAll(DOCUMENTED_URL, baseUrl));
    const [command, ...args] = COMMANDS[language]!;
    return { command: command!, args: [...args, file], cwd };
  }

  /** @returns the output of a recipe */
  function run(recipe: Recipe): string {
    const { command, args, cwd } = prepare(recipe);
    const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return stdout;
  }

  it.each(installed.filter(({ name }) => !LISTENING.includes(name)))(
    'has $name, which prints the expected output',
    (recipe) => {
      expect(run(recipe)).toMatch(EXPECTED[recipe.name]!);
    },
  );

  it.each(installed.filter(({ name }) => LISTENING.includes(name)))(
    'has $name, which hears of changes, also of those during a stop of the service',
    async (recipe) => {
      const listened = await startStoppableService(await settingsFor(kind));
      const { command, args, cwd } = prepare({
        ...recipe,
        source: recipe.source.replaceAll(DOCUMENTED_URL, listened.baseUrl),
      });
      const program = spawn(command, args, { cwd, detached: true });
      let output = '';
      program.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
      try {
        await poll(() => output).toMatch(/listening/);
        await storePosts(listened.baseUrl, 1);
        await poll(() => output).toMatch(/rebuild/);
        output = '';
        await listened.restart();
        await storePosts(listened.baseUrl, 1);
        await poll(() => output).toMatch(/listening[^]*rebuild/);
      } finally {
        process.kill(-program.pid!, 'SIGKILL');
      }
    },
  );

  it('has an import that changes nothing when it runs again', () => {
    const recipe = installed.find(({ name }) => name === 'an-import-that-can-run-again.python');
    if (recipe) expect(run(recipe)).toMatch(/'created': 0, 'replaced': 0, 'unchanged': 2,/);
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
