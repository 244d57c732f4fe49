/**
 * `npm run bench [-- [million] options]`: installs the peers' packages and builds the service if
 * necessary, and runs run.js or million.js.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const args = process.argv.slice(2);
const script = args[0] === 'million' ? args.shift() : 'run';

function run(command, ...parameters) {
  const { status } = spawnSync(command, parameters, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

if (!existsSync(join(root, 'bench/node_modules'))) run('npm', 'ci', '--prefix', 'bench');
if (!existsSync(join(root, 'dist/service.cjs'))) run('npm', 'run', 'build');
run(process.execPath, join('bench', `${script}.js`), ...args);
