// Builds our own files of /docs/ into dist/swagger-ui/ from src/openapi/swagger-ui/. Swagger UI itself is served from
// its package.
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const ROOT = join(import.meta.dirname, '..');
const SOURCES = join(ROOT, 'src/openapi/swagger-ui');
const BUILT = join(ROOT, 'dist/swagger-ui');
const FAVICON = join(ROOT, 'src/admin/ui/public/assets/icon-1.svg');
const COPIED = [join(SOURCES, 'page.html'), join(SOURCES, 'page.css'), FAVICON];

export async function buildSwaggerUi() {
  mkdirSync(BUILT, { recursive: true });
  for (const file of COPIED) copyFileSync(file, join(BUILT, file.replace(/^.*[/\\]/, '')));
  const build = await rolldown({
    cwd: ROOT,
    input: join(SOURCES, 'main.ts'),
    platform: 'browser',
    tsconfig: join(SOURCES, 'tsconfig.json'),
    transform: { target: 'es2022', jsx: 'react' },
  });
  await build.write({ file: join(BUILT, 'main.js'), format: 'iife', minify: true });
  await build.close();
}
