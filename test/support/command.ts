import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { DATABASE_LIMITS } from './database.js';

/** A command that runs longer is killed and has no exit status. */
const TIMEOUT_MS = 120_000;

/** A command that takes longer reports its progress, so these lines depend on the machine. */
const PROGRESS = /^[A-Z][a-z]+: \d+ %\n/gm;

/** How a command ended, without progress. */
export interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandRun {
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly stdin?: string | Buffer;
  /** Options for Node itself. */
  readonly nodeArgs?: readonly string[];
}

/** Runs a command of the built service in its own process, as an operator does. */
export function runCommand(
  parameters: readonly string[],
  { folder, environment = {}, stdin = '', nodeArgs = [] }: CommandRun,
): Promise<Outcome> {
  const program = join(import.meta.dirname, '../../bin/posts-service.cjs');
  const env = { PATH: process.env['PATH'], ...DATABASE_LIMITS, ...environment };
  const options = { env, cwd: folder, timeout: TIMEOUT_MS };
  return new Promise((resolve) => {
    const args = [...nodeArgs, program, ...parameters];
    const child = execFile(process.execPath, args, options, (_, stdout, stderr) =>
      resolve({ status: child.exitCode, stdout, stderr: stderr.replaceAll(PROGRESS, '') }),
    );
    child.stdin!.on('error', () => undefined).end(stdin);
  });
}
