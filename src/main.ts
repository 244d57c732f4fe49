import { CommandLineError, HELP, readCommandLine } from './bootstrap/command-line.js';
import { INFO } from './openapi/info.js';
import { npmScript } from './settings/load-settings.js';
import { StartFault } from './settings/settings.js';

/** Databases, backups and exports hold every post and all accounts: others on the machine get no access to new files. */
const PRIVATE_UMASK = 0o077;

async function main(args: readonly string[]): Promise<void> {
  process.umask(PRIVATE_UMASK);
  // What is asked for alone is loaded: all of the service takes longer than a response.
  if (isCommand(args)) {
    const { runCommand } = await import('./cli/run-command.js');
    process.exitCode = await runCommand(args);
    return;
  }
  const { asks, environment } = readCommandLine(args);
  if (asks) {
    process.stdout.write(asks === 'help' ? HELP : `${INFO.version}\n`);
  } else {
    const { start } = await import('./bootstrap/start.js');
    await start(environment);
  }
}

/** A command begins with a word, such as `posts-service backup FILE`; `npm run posts` runs nothing else. */
function isCommand([first = '']: readonly string[]): boolean {
  return /^[a-z]/.test(first) || npmScript() === 'posts';
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const isExplained = error instanceof StartFault || error instanceof CommandLineError;
  process.stderr.write(`${isExplained ? error.message : (error as Error).stack}\n`);
  process.exit(error instanceof CommandLineError ? 2 : 1);
});
