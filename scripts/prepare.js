// Builds the service when npm installs it. `npm ci --omit=dev` brings no compiler: then dist/ has to come with the
// sources, and there is nothing to do.
import { existsSync } from 'node:fs';

const COMPILERS = ['node_modules/typescript/bin/tsc', 'node_modules/vite/bin/vite.js'];

if (COMPILERS.every((compiler) => existsSync(compiler))) {
  await import('./build.js');
} else if (!existsSync('dist/service.cjs')) {
  console.warn('Not built: there is no dist/, and no compiler to make it. Run `npm ci` without --omit=dev.');
}
