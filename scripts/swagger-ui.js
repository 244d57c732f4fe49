// Builds the files of /docs/ into dist/swagger-ui/: the page, Swagger UI from its package, and our plug-in.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const ROOT = join(import.meta.dirname, '..');
const SOURCES = join(ROOT, 'src/openapi/swagger-ui');
const PACKAGE = join(ROOT, 'node_modules/swagger-ui-dist');
const BUILT = join(ROOT, 'dist/swagger-ui');
const ASSETS = join(BUILT, 'assets');

export async function buildSwaggerUi() {
  mkdirSync(ASSETS, { recursive: true });
  copyFileSync(join(SOURCES, 'page.html'), join(BUILT, 'page.html'));
  copyFileSync(join(SOURCES, 'page.css'), join(ASSETS, 'page.css'));
  copyFileSync(join(ROOT, 'src/admin/ui/public/assets/icon-1.svg'), join(ASSETS, 'favicon.svg'));
  for (const name of ['swagger-ui-bundle.js', 'swagger-ui.css'])
    copyFileSync(join(PACKAGE, name), join(ASSETS, name));
  const licenses = ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt'];
  const texts = licenses.map((name) => readFileSync(join(PACKAGE, name), 'utf8'));
  writeFileSync(join(ASSETS, 'licenses.txt'), texts.join('\n'));
  const build = await rolldown({
    cwd: ROOT,
    input: join(SOURCES, 'main.ts'),
    platform: 'browser',
    tsconfig: join(SOURCES, 'tsconfig.json'),
    transform: { target: 'es2022', jsx: 'react' },
  });
  await build.write({ file: join(ASSETS, 'main.js'), format: 'iife', minify: true });
  await build.close();
}
