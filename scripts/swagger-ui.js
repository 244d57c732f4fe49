// Builds the files of /docs/ into the folder swagger-ui/ of the build: the page, Swagger UI from its package, and our plug-in.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const ROOT = join(import.meta.dirname, '..');
const SOURCES = join(ROOT, 'src/openapi/swagger-ui');
const PACKAGE = join(ROOT, 'node_modules/swagger-ui-dist');

/** @param {string} folder that of the build */
export async function buildSwaggerUi(folder = join(ROOT, 'dist')) {
  const built = join(folder, 'swagger-ui');
  const assets = join(built, 'assets');
  mkdirSync(assets, { recursive: true });
  copyFileSync(join(SOURCES, 'page.html'), join(built, 'page.html'));
  copyFileSync(join(SOURCES, 'page.css'), join(assets, 'page.css'));
  copyFileSync(join(ROOT, 'src/admin/ui/public/assets/icon-1.svg'), join(assets, 'favicon.svg'));
  for (const name of ['swagger-ui-bundle.js', 'swagger-ui.css'])
    copyFileSync(join(PACKAGE, name), join(assets, name));
  const licenses = ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt'];
  const texts = licenses.map((name) => readFileSync(join(PACKAGE, name), 'utf8'));
  writeFileSync(join(assets, 'licenses.txt'), texts.join('\n'));
  const build = await rolldown({
    cwd: ROOT,
    input: join(SOURCES, 'main.ts'),
    platform: 'browser',
    tsconfig: join(SOURCES, 'tsconfig.json'),
    transform: { target: 'es2022', jsx: 'react' },
  });
  await build.write({ file: join(assets, 'main.js'), format: 'iife', minify: true });
  await build.close();
}
