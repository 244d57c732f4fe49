import { parseArgs, type ParseArgsConfig } from 'node:util';

/** The arguments after the name of a command. */
export interface Arguments {
  /** Options with a value. */
  readonly options: Readonly<Record<string, string | undefined>>;
  /** Options without a value. */
  readonly flags: ReadonlySet<string>;
  readonly others: readonly string[];
}

/** A command: `posts-service <name>`, or `npm run posts -- <name>`. */
export interface Command {
  readonly name: string;
  /** The arguments, as the help shows them. */
  readonly usage: string;
  readonly summary: string;
  readonly options?: readonly string[];
  readonly flags?: readonly string[];
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

/** @throws UsageError when the command does not have one of the options */
export function readArguments({ options = [], flags = [] }: Command, args: readonly string[]): Arguments {
  const types: ParseArgsConfig['options'] = {};
  for (const name of options) types[name] = { type: 'string' };
  for (const name of flags) types[name] = { type: 'boolean' };
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: types, allowPositionals: true });
    return {
      options: values as Record<string, string | undefined>,
      flags: new Set(flags.filter((name) => Object.hasOwn(values, name))),
      others: positionals,
    };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** @throws UsageError when the arguments are not exactly one file */
export function readFile({ others: [file, ...more] }: Arguments): string {
  if (file === undefined || more.length > 0) throw new UsageError('One file is needed.');
  return file;
}

/** @throws UsageError when there are further arguments besides the options */
export function assertNoOthers({ others }: Arguments): void {
  if (others.length > 0) throw new UsageError(`Unexpected argument: ${JSON.stringify(others[0])}.`);
}

/** A signal, from Ctrl-C or the system, ended the command. */
export class Interrupted extends Error {
  /** The shell convention: 128 plus the signal number. */
  readonly exitCode: number;

  constructor(signal: 'SIGINT' | 'SIGTERM', outcome: string) {
    super(`Interrupted. ${outcome}`);
    this.exitCode = signal === 'SIGINT' ? 130 : 143;
  }
}

/**
 * Runs the work with a signal that Ctrl-C aborts, so that it ends cleanly. A second Ctrl-C ends the process at once. The
 * signal is aborted at the end, too, which releases what the work has left open.
 *
 * @param outcome the message to show after an early end
 */
export async function interruptible<Result>(
  outcome: string,
  work: (cancel: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const onSignal = (signal: 'SIGINT' | 'SIGTERM'): void => {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    controller.abort(new Interrupted(signal, outcome));
  };
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  try {
    return await work(controller.signal);
  } catch (error) {
    // The abort's reason takes precedence over the error of the work.
    controller.signal.throwIfAborted();
    throw error;
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    controller.abort();
  }
}
