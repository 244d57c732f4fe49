import { parseArgs } from 'node:util';

/** What stands behind the name of a command. */
export interface Arguments {
  /** The options that have a value. */
  readonly options: Readonly<Record<string, string | undefined>>;
  /** The options that have none. */
  readonly flags: ReadonlySet<string>;
  readonly others: readonly string[];
}

/** A command: `posts-service <name>`, or `npm run posts -- <name>`. */
export interface Command {
  readonly name: string;
  /** What follows the name, as the help shows it. */
  readonly usage: string;
  readonly summary: string;
  /** Names of options that have a value. */
  readonly options?: readonly string[];
  /** Names of options that have none. */
  readonly flags?: readonly string[];
  /**
   * @param print writes a line of the output
   * @throws UsageError
   */
  run(args: Arguments, print: (line: string) => void): Promise<void>;
}

/** The command line cannot be understood; the message says why. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** @throws UsageError when there is an option that the command does not have */
export function readArguments({ options = [], flags = [] }: Command, args: readonly string[]): Arguments {
  const types = Object.fromEntries([
    ...options.map((name) => [name, { type: 'string' as const }] as const),
    ...flags.map((name) => [name, { type: 'boolean' as const }] as const),
  ]);
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: types, allowPositionals: true });
    const given = Object.entries<unknown>(values);
    return {
      options: Object.fromEntries(given.filter((entry): entry is [string, string] => entry[1] !== true)),
      flags: new Set(given.filter(([, value]) => value === true).map(([name]) => name)),
      others: positionals,
    };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** @throws UsageError when it is not one file that the command is given */
export function readFile({ others: [file, ...more] }: Arguments): string {
  if (file === undefined || more.length > 0) throw new UsageError('One file is needed.');
  return file;
}

/** @throws UsageError when the command is given more than its name and its options */
export function assertNoOthers({ others }: Arguments): void {
  if (others.length > 0) throw new UsageError(`There is no use for ${JSON.stringify(others[0])}.`);
}
