import { parseArgs } from 'node:util';

/** The options of all commands, as `parseArgs` takes them. */
const OPTIONS = {
  keep: { type: 'string' },
  'end-sessions': { type: 'boolean' },
  from: { type: 'string' },
  to: { type: 'string' },
  url: { type: 'string' },
} as const;

type Options = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];

/** The arguments after the name of a command. */
export interface Arguments {
  readonly options: Readonly<Options>;
  readonly others: readonly string[];
}

/** A command: `posts-service <name>`, or `npm run posts -- <name>`. */
export interface Command {
  readonly name: string;
  /** The arguments, as the help shows them. */
  readonly usage: string;
  readonly summary: string;
  readonly options?: readonly (keyof Options)[];
  /** The most arguments besides the options; 0 by default. */
  readonly takes?: number;
  /**
   * @param print writes a line of the output
   * @throws UsageError
   */
  run(args: Arguments, print: (line: string) => void): Promise<void>;
}

/** The command line is invalid; the message says why. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** @throws UsageError when the command does not have one of the options, or takes fewer arguments */
export function readArguments({ options = [], takes = 0 }: Command, args: readonly string[]): Arguments {
  const known = Object.fromEntries(options.map((name) => [name, OPTIONS[name]]));
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: known, allowPositionals: true });
    if (positionals.length > takes)
      throw new Error(`Unexpected argument: ${JSON.stringify(positionals[takes])}.`);
    return { options: values, others: positionals };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** @throws UsageError when the arguments name no file */
export function readFile({ others: [file] }: Arguments): string {
  if (file === undefined) throw new UsageError('One file is needed.');
  return file;
}
