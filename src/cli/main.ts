import 'reflect-metadata';
import { account } from './account.js';
import { backup } from './backup.js';
import { UsageError } from './command.js';
import { move } from './move.js';
import { restore } from './restore.js';

const COMMANDS = [account, move, backup, restore];

const HELP = [
  'Usage:',
  ...COMMANDS.map(({ name, usage, summary }) => `  npm run posts -- ${name} ${usage}\n      ${summary}`),
].join('\n');

const [name, ...args] = process.argv.slice(2);
const command = COMMANDS.find((each) => each.name === name);
try {
  if (!command)
    throw new UsageError(name === undefined ? 'A command is missing.' : `There is no command ${name}.`);
  await command.run(args, (line) => process.stdout.write(`${line}\n`));
} catch (error) {
  const isUsage = error instanceof UsageError;
  process.stderr.write(`${(error as Error).message}\n${isUsage ? `\n${HELP}\n` : ''}`);
  process.exitCode = isUsage ? 2 : 1;
}
