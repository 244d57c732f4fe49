// Builds the service, the administration site and the Swagger UI pages into dist/. The order matters: the bundle is
// made of the compiler's output.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { buildSwaggerUi } from './swagger-ui.js';

const VITE = ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn', '--config'];
const STEPS = [
  ['node_modules/typescript/bin/tsc', '--project', 'tsconfig.build.json'],
  [...VITE, 'src/admin/ui/vite.config.ts'],
  [...VITE, 'scripts/bundle.config.js'],
];

rmSync('dist', { recursive: true, force: true });
for (const step of STEPS) {
  // Any other value bundles React's development build.
  const env = { ...process.env, NODE_ENV: 'production' };
  const { status } = spawnSync(process.execPath, step, { stdio: 'inherit', env });
  if (status !== 0) process.exit(status ?? 1);
}
await buildSwaggerUi();
