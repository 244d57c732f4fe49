import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const text = await readFile(join(ROOT, 'docs/security.md'), 'utf8');

/** The test files that the tables name. */
const files = [...new Set(text.match(/`(?:test|src)\/[\w./-]+\.(?:e2e|spec|reliability)\.ts`/g))].map(
  (file) => file.slice(1, -1),
);

describe('docs/security.md', () => {
  it('names more than 30 test files', () => {
    expect(files.length).toBeGreaterThan(30);
  });

  it.each(files)('names a test that exists: %s', (file) => {
    expect([file, existsSync(join(ROOT, file))]).toEqual([file, true]);
  });

  it('has a line for each of the ten risks', () => {
    for (let risk = 1; risk <= 10; risk += 1) expect(text).toMatch(new RegExp(`^\\| API${risk} `, 'm'));
  });
});
