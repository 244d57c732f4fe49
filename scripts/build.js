// Builds the service, the administration site and the Swagger UI pages into dist/. The order matters: the bundle is
// made of the compiler's output. A build that fails leaves the dist/ of the last one, which can still be started.
import { spawnSync } from 'node:child_process';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildSwaggerUi } from './swagger-ui.js';

const ROOT = join(import.meta.dirname, '..');
const BUILT = join(ROOT, 'dist');
/** The new files, until all of them are there. The same number of folders deep, because source maps are relative. */
const BEGUN = join(ROOT, 'dist.new');
const REPLACED = join(ROOT, 'dist.old');

const TSC = 'node_modules/typescript/bin/tsc';
const VITE = ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn', '--config'];
const STEPS = [
  [TSC, '--project', 'tsconfig.build.json', '--outDir', BEGUN],
  [...VITE, 'src/admin/ui/vite.config.ts', '--outDir', join(BEGUN, 'admin-ui')],
  [...VITE, 'scripts/bundle.config.js', '--outDir', BEGUN, '--ssr', join(BEGUN, 'src/main.js')],
];

for (const folder of [BEGUN, REPLACED]) rmSync(folder, { recursive: true, force: true });
for (const step of STEPS) {
  // Any other value bundles React's development build.
  const env = { ...process.env, NODE_ENV: 'production' };
  const { status } = spawnSync(process.execPath, step, { stdio: 'inherit', env, cwd: ROOT });
  if (status !== 0) {
    rmSync(BEGUN, { recursive: true, force: true });
    process.exit(status ?? 1);
  }
}
await buildSwaggerUi(BEGUN);
try {
  renameSync(BUILT, REPLACED);
} catch (error) {
  if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error;
}
renameSync(BEGUN, BUILT);
rmSync(REPLACED, { recursive: true, force: true });
