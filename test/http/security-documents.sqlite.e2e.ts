import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const text = await readFile(join(ROOT, 'docs/security.md'), 'utf8');

/** The tests that the tables name: a file, with an optional test title. */
const rows = text.split('\n').filter((line) => line.startsWith('|'));
const named = rows.flatMap((row) => {
  const last = row.split(/(?<!\\)\|/).at(-2)!;
  // A title may contain the separator, so split only before a backtick.
  return last.split(/; (?=`)/).flatMap((entry) => {
    const [, file, title] = /^`((?:test|src)\/[\w./-]+)`(?:: (.+))?$/.exec(entry.trim()) ?? [];
    return file === undefined ? [] : [{ file, title }];
  });
});

describe('docs/security.md', () => {
  it('names tests', () => {
    expect(named.length).toBeGreaterThan(50);
  });

  it.each(named)('names a test that exists: $file: $title', async ({ file, title }) => {
    expect([file, existsSync(join(ROOT, file))]).toEqual([file, true]);
    const source = await readFile(join(ROOT, file), 'utf8');
    if (title !== undefined) expect(source).toContain(`'${title}'`);
  });

  it('names nothing in the column of tests that is none', () => {
    const mentioned = rows.join('\n').match(/`(?:test|src)\/[\w./-]+\.(?:e2e|spec|reliability)\.ts`/g) ?? [];
    expect(mentioned).toHaveLength(named.length);
  });

  it('has a line for each of the ten risks', () => {
    for (let risk = 1; risk <= 10; risk += 1) expect(text).toMatch(new RegExp(`^\\| API${risk} `, 'm'));
  });
});
