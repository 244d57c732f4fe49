import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SwaggerUiAssets } from './docs.controller.js';
import { PACKAGE_FOLDER } from './info.js';

describe('SwaggerUiAssets', () => {
  const assets = new SwaggerUiAssets();

  it('finds the script of the page, and reads it once', () => {
    const bundle = assets.find('swagger-ui-bundle.js');
    expect(bundle).toMatchObject({ mediaType: 'text/javascript; charset=utf-8' });
    expect(bundle!.content.length).toBeGreaterThan(1_000_000);
    expect(assets.find('swagger-ui-bundle.js')).toBe(bundle);
  });

  it.each(['package.json', 'swagger-ui-bundle.js.map', '../package.json', 'toString', ''])(
    'does not find %p',
    (name) => {
      expect(assets.find(name)).toBeUndefined();
    },
  );
});

describe('page.css', () => {
  it('uses only colours of the administration site', () => {
    const read = (path: string): string => readFileSync(join(PACKAGE_FOLDER, 'src', path), 'utf8');
    const theme = read('admin/ui/theme/theme.ts');
    const variables = [...read('openapi/swagger-ui/page.css').matchAll(/--[\w-]+: (#[0-9a-f]{6});/g)];
    expect(variables.length).toBeGreaterThan(20);
    for (const [, colour] of variables) expect(theme).toContain(`'${colour}'`);
  });
});
