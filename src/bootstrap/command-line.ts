import { parseArgs } from 'node:util';
import type { Environment } from '../settings/settings.js';

const USAGE = 'posts-service [options]';

export const HELP = `Usage: ${USAGE}             starts the service
       posts-service <command> [...]       runs a command; \`posts-service help\` lists them

  -p, --port PORT          the port to listen on (3000; 0 takes any free one)
      --host HOST          the address to listen on (127.0.0.1)
  -d, --database DATABASE  a SQLite file (data/posts.sqlite), or postgres://user:password@host:port/database
  -v, --version            the version of the service
  -h, --help               this text

Options override environment variables (PORT, HOST, DATABASE_URL). README.md lists all variables.
`;

const OPTIONS = {
  port: { type: 'string', short: 'p' },
  host: { type: 'string' },
  database: { type: 'string', short: 'd' },
  version: { type: 'boolean', short: 'v' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** A URL scheme; a single letter before a colon is a Windows drive. */
const SCHEME = /^[a-z]{2,}:/;

interface CommandLine {
  /** What to print instead of starting. */
  readonly asks: 'help' | 'version' | undefined;
  readonly environment: Environment;
}

/** @throws {CommandLineError} */
export function readCommandLine(args: readonly string[]): CommandLine {
  const { port, host, database, version, help } = parse(args);
  const settings = {
    PORT: port,
    HOST: host,
    DATABASE_URL: database === undefined || SCHEME.test(database) ? database : `sqlite:${database}`,
  };
  return {
    asks: help ? 'help' : version ? 'version' : undefined,
    environment: Object.fromEntries(Object.entries(settings).filter(([, text]) => text !== undefined)),
  };
}

/** The command line cannot be understood; the message says why. */
export class CommandLineError extends Error {
  override readonly name = 'CommandLineError';
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch (error) {
    const [fault] = (error as Error).message.split('. To specify');
    throw new CommandLineError(`${fault}\nUsage: ${USAGE}\n\`posts-service --help\` lists the options.`);
  }
}
