import { readFileSync } from 'node:fs';
import { readArguments } from './command.js';
import { COMMANDS } from './run-command.js';

const DOCUMENTS = ['docs/operations.md', 'docs/deployment.md', 'README.md'];
/** As typed, up to the end of the line or of the code, or to a redirection. */
const TYPED =
  /(?:npm run (?:--silent )?posts --|posts-service\.cjs|posts-service) ([a-z]+)((?: [^\s`|>#]+)*)/g;

const typed = DOCUMENTS.flatMap((path) =>
  [...readFileSync(path, 'utf8').matchAll(TYPED)].map(([line, name, rest]) => ({ line, name, rest })),
);

describe('the commands in the documents', () => {
  it.each(typed)('are valid: $line', ({ name, rest }) => {
    if (name === 'help') return;
    const command = COMMANDS.find((each) => each.name === name);
    expect(command).toBeDefined();
    const words = rest!.trim().split(/\s+/).filter(Boolean);
    expect(() => readArguments(command!, words)).not.toThrow();
  });
});
