import { readFileSync } from 'node:fs';
import { createProgram } from './program.js';

const DOCUMENTS = ['docs/operate/operations.md', 'docs/operate/README.md', 'README.md'];
/** As typed, up to the end of the line or of the code, or to a redirection. */
const TYPED =
  /(?:npm run (?:--silent )?posts --|posts-service\.cjs|posts-service) ([a-z]+)((?: [^\s`|>#]+)*)/g;

const typed = DOCUMENTS.flatMap((path) =>
  [...readFileSync(path, 'utf8').matchAll(TYPED)].map(([line, name, rest]) => ({ line, name, rest })),
);

describe('the commands in the documents', () => {
  it.each(typed)('are valid: $line', ({ name, rest }) => {
    if (name === 'help') return;
    const words = rest!.trim().split(/\s+/).filter(Boolean);
    let command = createProgram().commands.find((each) => each.name() === name)!;
    if (command.commands.length > 0) {
      const action = words.shift();
      command = command.commands.find((each) => each.name() === action)!;
    }
    const { operands, unknown } = command.parseOptions(words);
    expect(unknown).toEqual([]);
    expect(operands.length).toBeLessThanOrEqual(command.registeredArguments.length);
  });
});
