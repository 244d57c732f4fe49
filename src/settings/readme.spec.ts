import { readFileSync } from 'node:fs';
import { VARIABLES } from './settings.js';

/** Defaults that are not a text of the table of the code. */
const EXPLAINED: Readonly<Record<string, string>> = {
  ADMIN_PASSWORD: 'made at first start and shown once in the log',
  ALLOWED_HOSTS: 'this machine and `PUBLIC_URL`',
  LOG_FORMAT: '`pretty` on a terminal, `json` elsewhere',
};

describe("the README's table of settings", () => {
  it('has the variables of the service, in their order, with their defaults and a meaning', () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    const section = /^## Settings$(.*?)^## /ms.exec(readme)?.[1] ?? '';
    const [heading, , ...rows] = section
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .map((line) => line.slice(1, -1).split('|'))
      .map((cells) => cells.map((cell) => cell.trim()));
    expect(heading).toEqual(['variable', 'default', 'meaning']);
    expect(rows).toEqual(
      Object.entries(VARIABLES).map(([name, [, text]]) => [
        `\`${name}\``,
        EXPLAINED[name] ?? (text === '' ? 'none' : `\`${text}\``),
        expect.stringMatching(/\.$/),
      ]),
    );
  });
});
