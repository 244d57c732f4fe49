// Builds the service when npm installs it. `npm ci --omit=dev` brings no compiler: then dist/ has to come with the
// sources, and there is nothing to do.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const NEST_CLI = 'node_modules/@nestjs/cli/bin/nest.js';

if (existsSync(NEST_CLI)) {
  const { status } = spawnSync(process.execPath, [NEST_CLI, 'build'], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} else if (!existsSync('dist/src/main.js')) {
  console.warn('Not built: there is no dist/, and no compiler to make it. Run `npm ci` without --omit=dev.');
}
