/**
 * `npm run test:consumers`: installs the dependencies if needed, lints both OpenAPI documents, generates clients from
 * the one for generators, and runs the tests.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import buildChanges from '../test/support/build.js';
import { readRecipes } from './recipes.js';

const HERE = import.meta.dirname;
const ROOT = join(HERE, '..');
const GENERATED = join(HERE, 'generated');
const RECIPES = join(GENERATED, 'recipes');
const FULL_DOCUMENT = join(ROOT, 'openapi.json');
const DOCUMENT = join(GENERATED, 'openapi-client.json');

function program(name, ...args) {
  run(join(HERE, 'node_modules/.bin', name), args);
}

function run(command, args, cwd = HERE) {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

if (!existsSync(join(HERE, 'node_modules'))) run('npm', ['ci', '--no-audit', '--no-fund']);
await buildChanges();
const { clientDocument } = await import('../dist/src/openapi/client-document.js');
rmSync(GENERATED, { recursive: true, force: true });
mkdirSync(RECIPES, { recursive: true });
const document = clientDocument(JSON.parse(readFileSync(FULL_DOCUMENT, 'utf8')));
// The document of the service with which the generated clients are tested.
const servers = [{ url: `http://127.0.0.1:${await freePort()}` }];
writeFileSync(DOCUMENT, JSON.stringify({ ...document, servers }));

program('spectral', 'lint', FULL_DOCUMENT, DOCUMENT, '--ruleset=.spectral.yaml', '--fail-severity=hint');
program('redocly', 'lint', FULL_DOCUMENT, DOCUMENT, '--config', 'redocly.yaml');

program('openapi-typescript', DOCUMENT, '--output', join(GENERATED, 'openapi-typescript.d.ts'));
program('openapi-ts', '--file', 'openapi-ts.config.js');
program('orval', '--config', 'orval.config.ts');
const target = ['--output', GENERATED, '--name', 'swagger-typescript-api.ts'];
program('swagger-typescript-api', 'generate', '--disable-throw-on-error', '--path', DOCUMENT, ...target);
program('kubb', 'generate', '--config', 'kubb.config.js');
program('oazapfts', DOCUMENT, join(GENERATED, 'oazapfts.ts'));
const zodios = ['--output', join(GENERATED, 'openapi-zod-client.ts')];
program('openapi-zod-client', DOCUMENT, ...zodios, '--media-type-expr', "mediaType.includes('json')");
// Its program is called `openapi`, as is one of redocly.
const codegen = ['--input', DOCUMENT, '--output', join(GENERATED, 'openapi-typescript-codegen')];
run(process.execPath, ['node_modules/openapi-typescript-codegen/bin/index.js', ...codegen]);
// The compiler checks the TypeScript recipes in its strictest mode.
for (const { name, language, source } of readRecipes())
  if (language === 'ts') writeFileSync(join(RECIPES, name), `${source}\nexport {};\n`);
program('tsc', '--project', join(HERE, 'tsconfig.json'));
run('npm', ['test', '--', '--selectProjects=consumers', '--maxWorkers=2', ...process.argv.slice(2)], ROOT);
