/**
 * `npm run test:consumers`: installs what it needs, where that was not done yet; lints openapi.json, generates clients from it,
 * and runs the tests.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writeTypeScriptRecipes } from './recipes.js';

const HERE = import.meta.dirname;
const ROOT = join(HERE, '..');
const DOCUMENT = join(ROOT, 'openapi.json');

function program(name, ...args) {
  run(join(HERE, 'node_modules/.bin', name), args);
}

function run(command, args, cwd = HERE) {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

if (!existsSync(join(HERE, 'node_modules'))) run('npm', ['ci', '--no-audit', '--no-fund']);
program('spectral', 'lint', DOCUMENT, '--ruleset', join(HERE, '.spectral.yaml'), '--fail-severity', 'hint');
program('redocly', 'lint', DOCUMENT, '--config', join(HERE, 'redocly.yaml'));
run('npm', ['run', 'build'], ROOT);
program('openapi-typescript', DOCUMENT, '--output', join(HERE, 'generated/schema.d.ts'));
program('openapi-ts', '--file', join(HERE, 'openapi-ts.config.js'));
writeTypeScriptRecipes(join(HERE, 'generated/recipes'));
program('tsc', '--project', join(HERE, 'tsconfig.json'));
run('npm', ['test', '--', '--selectProjects=consumers', '--maxWorkers=2', ...process.argv.slice(2)], ROOT);
