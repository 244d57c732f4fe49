import { type DestinationStream, type Logger, pino, stdSerializers, stdTimeFunctions } from 'pino';
import { isColorSupported, prettyFactory } from 'pino-pretty';
import type { Settings } from '../settings/settings.js';

/** Injects the logger: `@Inject(LOGGER) private readonly logger: Logger`, with `Logger` from pino. */
export const LOGGER = Symbol('Logger');

/** How many bytes wait for a reader that has stopped; further lines are dropped to save memory. */
const MAX_WAITING_BYTES = 16 * 1_024 * 1_024;
/** How long the process waits at its exit for a reader that takes nothing. */
const EXIT_PATIENCE_MS = 2_000;

/** Creates the logger of the service. @param destination receives the lines, stdout by default */
export function createLogger(
  { logLevel, logFormat }: Pick<Settings, 'logLevel' | 'logFormat'>,
  destination?: DestinationStream,
): Logger {
  const isPretty = logFormat === 'pretty';
  const output = destination ?? standardOutput(isPretty);
  const options = {
    level: logLevel,
    // No process id and no host name: a collector of several instances adds them.
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: serializeError },
  };
  // Colours only on a terminal, and not with NO_COLOR.
  return pino(options, isPretty ? prettier(output, destination === undefined && isColorSupported) : output);
}

/** @param sync whether lines are written at once, as a person expects; otherwise a slow reader delays no request */
function standardOutput(sync: boolean): DestinationStream {
  let exitedAt = Infinity;
  process.once('exit', () => (exitedAt = Date.now()));
  const retryEAGAIN = (): boolean => Date.now() < exitedAt + EXIT_PATIENCE_MS;
  return pino.destination({ dest: process.stdout.fd, sync, maxLength: MAX_WAITING_BYTES, retryEAGAIN });
}

/**
 * The type, message and code of an error, its stack with those of its causes, and, for a fault of the database, the
 * statement without its values and, if nothing awaited it, the code that sent it. Other properties are omitted: TypeORM's `parameters`, for
 * example, contain whole posts.
 */
function serializeError(thrown: Error): unknown {
  if (typeof thrown?.stack !== 'string') return thrown;
  const { type, stack } = stdSerializers.err(thrown);
  const { message, code, sql, sentBy } = thrown as Error & Record<string, string | undefined>;
  return { type, message, stack, code, sql, sentBy };
}

/** Formats each line for people. The frames of a stack follow, indented. */
function prettier(output: DestinationStream, colorize: boolean): DestinationStream {
  const prettify = prettyFactory({ colorize, singleLine: true, translateTime: 'SYS:HH:MM:ss.l' });
  return { write: (line) => output.write(prettify(JSON.parse(line, escapeText))) };
}

/** Keeps texts of clients from breaking the line, controlling the terminal or reordering the text (CWE-117). */
function escapeText(key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const lines = key === 'stack' ? value.split(/\n(?= +at |caused by: )/) : [value];
  return lines.map((line) => line.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, escapeUnit)).join('\n');
}

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
