import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_FOLDER } from './info.js';

describe('page.css', () => {
  it('has the colours of the administration site', () => {
    const read = (path: string): string => readFileSync(join(PACKAGE_FOLDER, 'src', path), 'utf8');
    const theme = read('admin/ui/theme/theme.ts');
    const variables = [...read('openapi/swagger-ui/page.css').matchAll(/--[\w-]+: (#[0-9a-f]{6});/g)];
    expect(variables.length).toBeGreaterThan(20);
    for (const [, colour] of variables) expect(theme).toContain(`'${colour}'`);
  });
});
