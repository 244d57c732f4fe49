import { commandPrefix } from '../settings/load-settings.js';
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

const PREFIX = commandPrefix();

const HELP = [
  'Usage:',
  ...COMMANDS.map(
    ({ name, usage, summary }) => `  ${[PREFIX, name, usage].join(' ').trimEnd()}\n      ${summary}`,
  ),
].join('\n');

/**
 * Runs the command that the arguments name.
 *
 * @returns the status with which the program ends: 2 when they cannot be understood
 */
export async function runCommand([name, ...args]: readonly string[]): Promise<number> {
  const asksForHelp = name === 'help' || [name, ...args].some((each) => each === '--help' || each === '-h');
  try {
    if (asksForHelp) {
      process.stdout.write(`${HELP}\n`);
    } else {
      const command = COMMANDS.find((each) => each.name === name);
      if (!command)
        throw new UsageError(name === undefined ? 'A command is missing.' : `There is no command ${name}.`);
      await command.run(args, (line) => process.stdout.write(`${line}\n`));
    }
    return 0;
  } catch (error) {
    const isUsage = error instanceof UsageError;
    process.stderr.write(`${(error as Error).message}\n${isUsage ? `\n${HELP}\n` : ''}`);
    return isUsage ? 2 : error instanceof Interrupted ? error.exitCode : 1;
  }
}
