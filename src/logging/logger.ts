import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
import { isColorSupported, prettyFactory } from 'pino-pretty';
import type { Settings } from '../settings/settings.js';
import { describeError, escapeControlCharacters, escapeRawControlCharacters } from './error-record.js';
import { LineWriter } from './line-writer.js';

/** Injects the logger: `@Inject(LOGGER) private readonly logger: Logger`, with `Logger` from pino. */
export const LOGGER = Symbol('Logger');

/**
 * Makes the logger of the service. Each record is one line, whatever a client put into it; in `pretty`, the stack of
 * an error follows, indented.
 *
 * @param destination where the lines go, stdout by default
 */
export function createLogger(
  { logLevel, logFormat }: Pick<Settings, 'logLevel' | 'logFormat'>,
  destination?: DestinationStream,
): Logger {
  const output = destination ?? openStdout();
  // Colours only for the terminal, and not for one that says NO_COLOR.
  const format =
    logFormat === 'json'
      ? escapeRawControlCharacters
      : prettifier(destination === undefined && isColorSupported);
  return pino(
    {
      level: logLevel,
      // Neither process id nor host name: a collector of several instances adds them.
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
    },
    { write: (line) => output.write(format(line)) },
  );
}

function openStdout(): DestinationStream {
  // Node opens `process.stdout` at its first use, and makes a pipe non-blocking with it.
  return new LineWriter(process.stdout.fd);
}

/** @returns a function from a line of JSON to lines for people */
function prettifier(colorize: boolean): (line: string) => string {
  const prettify = prettyFactory({ colorize, singleLine: true, translateTime: 'SYS:HH:MM:ss.l' });
  // pino-pretty drops some control characters silently and lets line feeds through, so they are escaped before.
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

/** Most stacks come from describeError, which knows where the message ends; here it is about any other object. */
function escapeStack(stack: string): string {
  return stack
    .split(/\n(?= +at |caused by: )/)
    .map(escapeControlCharacters)
    .join('\n');
}
