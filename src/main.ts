import { CommandLineError, HELP, readCommandLine } from './bootstrap/command-line.js';
import { explainSystemFault } from './bootstrap/system-fault.js';
import { withSourceLines } from './logging/source-lines.js';
import { INFO } from './openapi/info.js';
import { npmScript } from './settings/load-settings.js';
import { StartFault } from './settings/settings.js';

/** Databases, backups and exports contain every post and all accounts, so other users get no access to new files. */
const PRIVATE_UMASK = 0o077;

/** The status that shells report for a program ended by SIGPIPE. */
const BROKEN_PIPE_STATUS = 141;

async function main(args: readonly string[]): Promise<void> {
  process.umask(PRIVATE_UMASK);
  // Imports only what the command line needs: loading the whole service would delay the response.
  if (isCommand(args)) {
    endWithReader();
    const { runCommand } = await import('./cli/run-command.js');
    process.exitCode = await runCommand(args);
    return;
  }
  const { asks, environment } = readCommandLine(args);
  if (asks) {
    endWithReader();
    process.stdout.write(asks === 'help' ? HELP : `${INFO.version}\n`);
  } else {
    const { start } = await import('./bootstrap/start.js');
    await start(environment);
  }
}

/** Ends the process when the reader closes the pipe, as `| head -1` does. */
function endWithReader(): void {
  process.stdout.on('error', () => process.exit(BROKEN_PIPE_STATUS));
}

/** A command starts with a word, such as `posts-service backup FILE`; `npm run posts` runs only commands. */
function isCommand([first = '']: readonly string[]): boolean {
  return /^[a-z]/.test(first) || npmScript() === 'posts';
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const isExplained = error instanceof StartFault || error instanceof CommandLineError;
  const { message, stack } = error as Error;
  process.stderr.write(`${isExplained ? message : (explainSystemFault(error) ?? withSourceLines(stack!))}\n`);
  process.exit(error instanceof CommandLineError ? 2 : 1);
});
