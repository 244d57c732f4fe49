import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
import { isColorSupported, prettyFactory } from 'pino-pretty';
import type { Settings } from '../settings/settings.js';
import { describeError, escapeControlCharacters, escapeRawControlCharacters } from './error-record.js';
import { LineWriter } from './line-writer.js';

/** Injects the logger: `@Inject(LOGGER) private readonly logger: Logger`, with `Logger` from pino. */
export const LOGGER = Symbol('Logger');

/**
 * Creates the logger of the service. Each record is one line, whatever client input it contains; in `pretty`, the stack
 * of an error follows, indented.
 *
 * @param destination receives the lines, stdout by default
 */
export function createLogger(
  { logLevel, logFormat }: Pick<Settings, 'logLevel' | 'logFormat'>,
  destination?: DestinationStream,
): Logger {
  const output = destination ?? openStdout();
  // Colours only on a terminal, and not with NO_COLOR.
  const format =
    logFormat === 'json'
      ? escapeRawControlCharacters
      : prettifier(destination === undefined && isColorSupported);
  return pino(
    {
      level: logLevel,
      // No process id and no host name: a collector of several instances adds them.
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
    },
    { write: (line) => output.write(format(line)) },
  );
}

function openStdout(): DestinationStream {
  // Node opens `process.stdout` at its first use, and sets a pipe to non-blocking mode.
  return new LineWriter(process.stdout.fd);
}

/** @returns a function that formats a line of JSON for people */
function prettifier(colorize: boolean): (line: string) => string {
  const prettify = prettyFactory({ colorize, singleLine: true, translateTime: 'SYS:HH:MM:ss.l' });
  // pino-pretty silently drops some control characters and keeps line feeds, so both are escaped first.
  return (line) => prettify(escapeStrings(JSON.parse(line)));
}

function escapeStrings(value: unknown, key?: string): unknown {
  if (typeof value === 'string') {
    return key === 'stack' ? escapeStack(value) : escapeControlCharacters(value);
  }
  if (Array.isArray(value)) return value.map((item) => escapeStrings(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [escapeControlCharacters(name), escapeStrings(item, name)]),
  );
}

/** Most stacks come from describeError, which escapes the message; this function handles stacks of other objects. */
function escapeStack(stack: string): string {
  return stack
    .split(/\n(?= +at |caused by: )/)
    .map(escapeControlCharacters)
    .join('\n');
}
