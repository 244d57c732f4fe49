import { readFileSync } from 'node:fs';
import { SETTINGS_TABLE } from './settings.js';

describe("the README's table of settings", () => {
  it('has the variables of the service, in their order, with their defaults and meanings', () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    const section = /^## Settings$(.*?)^## /ms.exec(readme)?.[1] ?? '';
    const [heading, , ...rows] = section
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .map((line) => line.slice(1, -1).split('|'))
      .map((cells) => cells.map((cell) => cell.trim()));
    expect(heading).toEqual(['variable', 'default', 'meaning']);
    expect(rows).toEqual(SETTINGS_TABLE.map((row) => [`\`${row.name}\``, row.default, row.meaning]));
  });
});
