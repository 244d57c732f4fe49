import { account } from './account.js';
import { backup } from './backup.js';
import { UsageError } from './command.js';
import { exportPosts } from './export.js';
import { importPosts } from './import.js';
import { Interrupted } from './interruption.js';
import { move } from './move.js';
import { reindex } from './reindex.js';
import { restore } from './restore.js';
import { seed } from './seed.js';

const COMMANDS = [seed, importPosts, exportPosts, account, reindex, backup, restore, move];

/** What was typed: the command `posts-service`, or the script of package.json that runs this file. */
const CALLED_AS = process.argv[1]?.endsWith('main.js') ? 'npm run posts --' : 'posts-service';

const HELP = [
  'Usage:',
  ...COMMANDS.map(
    ({ name, usage, summary }) => `  ${[CALLED_AS, name, usage].join(' ').trimEnd()}\n      ${summary}`,
  ),
].join('\n');

const [name, ...args] = process.argv.slice(2);
const command = COMMANDS.find((each) => each.name === name);
const asksForHelp = name === 'help' || [name, ...args].some((each) => each === '--help' || each === '-h');
try {
  if (asksForHelp) {
    process.stdout.write(`${HELP}\n`);
  } else {
    if (!command)
      throw new UsageError(name === undefined ? 'A command is missing.' : `There is no command ${name}.`);
    await command.run(args, (line) => process.stdout.write(`${line}\n`));
  }
} catch (error) {
  const isUsage = error instanceof UsageError;
  process.stderr.write(`${(error as Error).message}\n${isUsage ? `\n${HELP}\n` : ''}`);
  process.exitCode = isUsage ? 2 : error instanceof Interrupted ? error.exitCode : 1;
}
