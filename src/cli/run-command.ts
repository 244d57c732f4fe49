import { explainSystemFault } from '../bootstrap/system-fault.js';
import { commandPrefix } from '../settings/load-settings.js';
import { account } from './account.js';
import { backup, restore } from './backup.js';
import { check } from './check.js';
import { type Command, readArguments, UsageError } from './command.js';
import { exportPosts, importPosts } from './import-export.js';
import { compact, migrate, move, reindex } from './maintenance.js';
import { seed } from './seed.js';

/** All commands, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  seed,
  importPosts,
  exportPosts,
  account,
  reindex,
  backup,
  restore,
  move,
  migrate,
  check,
  compact,
];

const PREFIX = commandPrefix();

/**
 * Runs the command that the arguments name.
 *
 * @returns the exit status; 2 for invalid arguments
 */
export async function runCommand([name, ...args]: readonly string[]): Promise<number> {
  const asksForHelp = name === 'help' || [name, ...args].some((each) => each === '--help' || each === '-h');
  const command = COMMANDS.find((each) => each.name === (name === 'help' ? args[0] : name));
  try {
    if (asksForHelp) {
      print(command ? helpOf(command) : ['Usage:', ...COMMANDS.map(helpOf)].join('\n'));
    } else {
      if (!command)
        throw new UsageError(name === undefined ? 'A command is missing.' : `There is no command ${name}.`);
      await command.run(readArguments(command, args), print);
    }
    return 0;
  } catch (error) {
    process.stderr.write(`${explainSystemFault(error) ?? (error as Error).message}\n`);
    if (error instanceof UsageError) {
      if (command) process.stderr.write(`Usage: ${usageOf(command)}\n`);
      process.stderr.write(`\`${PREFIX} help\` explains all commands.\n`);
      return 2;
    }
    return 1;
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function usageOf({ name, usage }: Command): string {
  return [PREFIX, name, usage].join(' ').trimEnd();
}

function helpOf(command: Command): string {
  return `  ${usageOf(command)}\n      ${command.summary}`;
}
