import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** What takes longer is ended, and has no status. */
const TIMEOUT_MS = 20_000;

/** What a command has ended with. */
export interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandRun {
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Options of Node itself. */
  readonly nodeArgs?: readonly string[];
  /** Whether Ctrl-C follows once it has read its input, which goes on. */
  readonly interrupts?: boolean;
}

/** Runs a command of the built service as an operator does. */
export async function runCommand(
  parameters: readonly string[],
  { folder, environment = {}, stdin = '', nodeArgs = [], interrupts = false }: CommandRun,
): Promise<Outcome> {
  const program = join(import.meta.dirname, '../../bin/posts-service.cjs');
  const env = { PATH: process.env['PATH'], ...environment };
  const child = spawn(process.execPath, [...nodeArgs, program, ...parameters], {
    env,
    cwd: folder,
    timeout: TIMEOUT_MS,
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdin.on('error', () => undefined);
  // With its input open, an import waits for more; it reads by the time that more is written than a pipe holds.
  if (!interrupts) child.stdin.end(stdin);
  else child.stdin.write(stdin, () => child.kill('SIGINT'));
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, stdout, stderr };
}
