import { getSystemErrorMap } from 'node:util';

/** An error of a system call, as Node throws it. */
type SystemError = NodeJS.ErrnoException & { hostname?: string; address?: string; port?: number };

/** What the operating system refused, and why, in a line; undefined for any other error. */
export function explainSystemFault(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('errno' in error) || !('syscall' in error)) return undefined;
  const { errno = 0, code, syscall, path, hostname, address, port } = error as SystemError;
  const [, reason] = getSystemErrorMap().get(errno) ?? [code, code];
  const place = path ?? hostname ?? (address === undefined ? syscall : `${address}:${port}`);
  return `${place}: ${reason}.`;
}
