/** A command: `posts-service <name>`, or `npm run posts -- <name>`. */
export interface Command {
  readonly name: string;
  /** What follows the name, as the help shows it. */
  readonly usage: string;
  readonly summary: string;
  /**
   * @param print writes a line of the output
   * @throws UsageError
   */
  run(args: readonly string[], print: (line: string) => void): Promise<void>;
}

/** The command line cannot be understood; the message says why. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
