// Builds the service, its administration site and its pages of Swagger UI into dist/. The order matters: the first step starts from an empty dist/.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { bundle } from './bundle.js';
import { buildSwaggerUi } from './swagger-ui.js';

const STEPS = [
  ['node_modules/typescript/bin/tsc', '--project', 'tsconfig.build.json'],
  ['node_modules/vite/bin/vite.js', 'build', '--config', 'src/admin/ui/vite.config.ts', '--logLevel', 'warn'],
];

rmSync('dist', { recursive: true, force: true });
for (const step of STEPS) {
  const { status } = spawnSync(process.execPath, step, {
    stdio: 'inherit',
    // Another value would build the site with React's development version.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (status !== 0) {
    process.exit(status ?? 1);
  }
}
await buildSwaggerUi();
await bundle();
