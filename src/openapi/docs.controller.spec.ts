import { SwaggerUiAssets } from './docs.controller.js';

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
