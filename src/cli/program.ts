import { Argument, Command, InvalidArgumentError, type Option } from 'commander';
import { ROLES, type Role } from '../users/user.js';
import { VERSION } from '../settings/package-info.js';
import { isUsername, USERNAME_RULE } from '../settings/credential-rules.js';
import { isTakenByNpm, npmScript } from '../settings/load-settings.js';
import type { Environment } from '../settings/settings.js';
import { endCommandOnSignal } from './interruption.js';

/** A URL scheme; a single letter before a colon is a Windows drive. */
const SCHEME = /^[a-z]{2,}:/i;

/** The options that stand before or behind the name of a command, or without one. */
interface ServiceOptions {
  readonly port?: string;
  readonly host?: string;
  readonly database?: string;
}

/**
 * Describes the command line: `posts-service` starts the service, `posts-service <command>` (or
 * `npm run posts -- <command>`) runs a command. Each action imports only what it needs: the help is quick, and a service
 * on PostgreSQL does not load SQLite.
 */
export function createProgram(): Command {
  const script = npmScript();
  const prefix = script === undefined ? 'posts-service' : 'npm run posts --';
  const usage = script === 'start' ? 'npm start --' : prefix;
  const program = new Command(usage)
    .description(
      'Without a command, starts the service. Options override environment variables (PORT, HOST, DATABASE_URL); ' +
        'docs/operate/settings.md lists all variables. A command takes --database, too.',
    )
    .version(VERSION, '-v, --version', 'print the version of the service')
    .option('-p, --port <port>', 'the port to listen on (3000; 0 takes any free one)', nonEmpty)
    .option('--host <host>', 'the address to listen on (127.0.0.1)', nonEmpty)
    .option(
      '-d, --database <database>',
      'a SQLite file (data/posts.sqlite), or postgres://user:password@host:port/database',
      readDatabase,
    )
    .showHelpAfterError(`\`${prefix} help\` explains all commands.`)
    .helpCommand(true)
    .exitOverride()
    .action(async (options: ServiceOptions, { args: [unknown] }: Command) => {
      if (unknown !== undefined) program.error(`error: there is no command ${unknown}`);
      if (script === 'posts') program.help({ error: true });
      const { start } = await import('../bootstrap/start.js');
      await start(variablesOf(options));
    });
  describeAccounts(program);
  describeDatabase(program);
  program.hook('preAction', (_program, command) => {
    assertNotTakenByNpm(command, usage);
    // The service has its own way to stop.
    if (command !== program) endCommandOnSignal();
  });
  // The commands have inherited the opposite. The action above says more about an argument that is no command.
  return program.allowExcessArguments();
}

/** A variable of the shell that is not set gives an empty text, which would mean the default, or this folder. */
function nonEmpty(text: string): string {
  if (text !== '') return text;
  throw new InvalidArgumentError('It must not be empty.');
}

/** @returns a `DATABASE_URL` */
function readDatabase(text: string): string {
  // Commander takes `-d=posts.sqlite` as the file `=posts.sqlite`, and `-d --help` as the file `--help`.
  if (/^[=-]/.test(text))
    throw new InvalidArgumentError('Write -d FILE or --database=FILE. (./-x and ./=x are files, too.)');
  return SCHEME.test(text) ? text : `sqlite:${nonEmpty(text)}`;
}

/** The options as variables of the environment, which they override. */
function variablesOf({ port, host, database }: ServiceOptions): Environment {
  return { PORT: port, HOST: host, DATABASE_URL: database };
}

/**
 * `npm run posts migrate --dry-run`, without the `--` that PowerShell also removes, gives the option to npm, and the command
 * would migrate. npm passes on what it took as `npm_config_dry_run`.
 */
function assertNotTakenByNpm(command: Command, usage: string): void {
  if (npmScript() === undefined) return;
  const taken = optionsOf(command).find((option) => isTakenByNpm(option.name()));
  if (taken !== undefined)
    command.error(`error: npm took the option --${taken.name()}: write it behind --, as in \`${usage} …\``);
}

/** The options of a command, and those that stand before its name. */
function optionsOf({ options, parent }: Command): readonly Option[] {
  return parent === null ? options : [...options, ...optionsOf(parent)];
}

/**
 * What the options of the service say about a command. One that has no meaning for it is an error: ignored, it would let the
 * command work on another database than the one that was meant.
 */
function overridesOf(command: Command): Environment {
  const options = command.optsWithGlobals<ServiceOptions>();
  assertNoOption(command, options, ['port', 'host']);
  return variablesOf(options);
}

function assertNoOption(
  command: Command,
  options: ServiceOptions,
  names: readonly (keyof ServiceOptions)[],
): void {
  const given = names.find((name) => options[name] !== undefined);
  if (given !== undefined) command.error(`error: the command ${command.name()} has no option --${given}`);
}

function describeAccounts(program: Command): void {
  const account = program
    .command('account')
    .description(
      'Add an account of the administration site, or change its password, also while the service runs. The command ' +
        'prompts for the password, or reads it from standard input.',
    );
  const name = new Argument('<name>', 'the user name').argParser((text) => {
    if (isUsername(text)) return text;
    throw new InvalidArgumentError(`It ${USERNAME_RULE}.`);
  });
  account
    .command('add')
    .addArgument(name)
    .addArgument(new Argument('[role]').choices(ROLES).default('viewer'))
    .action(async (username: string, role: Role, _options: object, command: Command) =>
      (await import('./account.js')).addAccount(username, role, overridesOf(command)),
    );
  account
    .command('password')
    .addArgument(name)
    .action(async (username: string, _options: object, command: Command) =>
      (await import('./account.js')).setPassword(username, overridesOf(command)),
    );
}

function describeDatabase(program: Command): void {
  program
    .command('seed')
    .description(
      'Store sample posts in many languages, the same ones each time; 5,000 in a transaction. On SQLite the service must not run.',
    )
    .argument('<count>', 'the number of posts', wholeNumber)
    .action(async (count: number, _options: object, command: Command) =>
      (await import('./seed.js')).seed(count, overridesOf(command)),
    );
  program
    .command('reindex')
    .description('Rebuild the search index. On SQLite the service must not run.')
    .action(async (_options: object, command: Command) =>
      (await import('./reindex.js')).reindex(overridesOf(command)),
    );
  program
    .command('backup')
    .description(
      'Write a consistent, verified copy of the SQLite database to a new file, also while the service runs.',
    )
    .argument('<place>', 'the file; with --keep, a folder in which the current time gives the name', nonEmpty)
    .option('--keep <number>', 'remove all backups in the folder but the newest ones', wholeNumber)
    .action(async (place: string, { keep }: { keep?: number }, command: Command) =>
      (await import('./backup.js')).backup(place, keep, overridesOf(command)),
    );
  program
    .command('restore')
    .description('Replace the SQLite database with a backup. The service must not run.')
    .argument('<file>', 'the backup', nonEmpty)
    .action(async (file: string, _options: object, command: Command) =>
      (await import('./backup.js')).restore(file, overridesOf(command)),
    );
  program
    .command('move')
    .description('Copy everything to an empty PostgreSQL database. Stop the service first.')
    .requiredOption('--from <database>', 'sqlite:<file>', nonEmpty)
    .requiredOption('--to <database>', 'postgres://user:password@host:port/database', nonEmpty)
    .action(async ({ from, to }: { from: string; to: string }, command: Command) => {
      assertNoOption(command, command.optsWithGlobals(), ['port', 'host', 'database']);
      await (await import('./maintenance.js')).move(from, to);
    });
  program
    .command('migrate')
    .description('Bring the schema of the database up to date. On SQLite the service must not run.')
    .option(
      '--dry-run',
      'change nothing; print what would be done, which locks it takes, and how many rows it touches (the service may run)',
    )
    .action(async ({ dryRun }: { dryRun?: boolean }, command: Command) => {
      const { migrate, printMissingMigrations } = await import('./maintenance.js');
      const overrides = overridesOf(command);
      return dryRun ? printMissingMigrations(overrides) : migrate(overrides);
    });
}

function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number from 1 to 999999999.');
}
