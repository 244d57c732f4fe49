import { CommanderError } from 'commander';
import { createProgram } from './cli/program.js';

/** Databases, backups and exports contain every post and all accounts, so other users get no access to new files. */
const PRIVATE_UMASK = 0o077;

/** The status that shells report for a program ended by SIGPIPE. */
const BROKEN_PIPE_STATUS = 141;

/** The status for a command line that is not valid, as of other programs. */
const USAGE_STATUS = 2;

process.umask(PRIVATE_UMASK);
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // Ends quietly when the reader closes the pipe, as `| head -1` does.
  if (error.code === 'EPIPE') process.exit(BROKEN_PIPE_STATUS);
  process.stderr.write(`The output cannot be written: ${error.message}.\n`);
  process.exit(1);
});
// Without a listener, a progress report on a full disk would end a backup.
process.stderr.on('error', () => undefined);

const program = createProgram();

program.parseAsync().catch((error: unknown) => {
  // The message has been printed; it may have been the help that was asked for.
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : USAGE_STATUS);
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
});
