import { CommanderError } from 'commander';
import { createProgram } from './cli/program.js';
import { StartFault } from './settings/settings.js';

/** Databases, backups and exports contain every post and all accounts, so other users get no access to new files. */
const PRIVATE_UMASK = 0o077;

/** The status that shells report for a program ended by SIGPIPE. */
const BROKEN_PIPE_STATUS = 141;

/** The status for a command line that is not valid, as of other programs. */
const USAGE_STATUS = 2;

process.umask(PRIVATE_UMASK);
// Ends quietly when the reader closes the pipe, as `| head -1` does.
process.stdout.on('error', () => process.exit(BROKEN_PIPE_STATUS));

const program = createProgram();

program.parseAsync().catch((error: unknown) => {
  // The message has been printed; it may have been the help that was asked for.
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : USAGE_STATUS);
  const { message, stack } = error as Error;
  const isCommand = program.args.length > 0;
  // Node's errors of system calls say what failed, and where.
  const isExplained = isCommand || error instanceof StartFault || (error as NodeJS.ErrnoException).syscall;
  process.stderr.write(`${isExplained ? message : stack!}\n`);
  process.exit(1);
});
