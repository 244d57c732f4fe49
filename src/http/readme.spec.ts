import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8');

/** The names that index.ts exports. */
const exported = [...read('index.ts').matchAll(/^export (?:type )?\{([^}]*)\}/gm)]
  .flatMap(([, names]) => names!.split(','))
  .map((name) => name.replace('type', '').trim())
  .filter((name) => name !== '');

/** What README.md says about them, and the names in its table. */
const sections = /## For handlers[^]*?(?=## What Nest documents)/.exec(read('README.md'))![0];
const described = [...sections.matchAll(/^\| (`.*?) +\|/gm)].flatMap(([, cell]) =>
  [...cell!.matchAll(/`@?(\w+)(?:\(\))?`/g)].map(([, name]) => name!),
);

describe('README.md', () => {
  it('describes each name of the door', () => {
    expect(exported.length).toBeGreaterThan(30);
    expect(exported.filter((name) => !new RegExp(String.raw`\b${name}\b`).test(sections))).toEqual([]);
  });

  it('describes no other name', () => {
    expect(described.length).toBeGreaterThan(20);
    expect(described.filter((name) => !exported.includes(name))).toEqual([]);
  });
});
