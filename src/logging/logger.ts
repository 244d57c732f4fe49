import { type DestinationStream, type Logger, pino, stdSerializers, stdTimeFunctions } from 'pino';
import { isColorSupported, prettyFactory } from 'pino-pretty';
import { LogOutput, standardOutput } from './log-output.js';
import type { Settings } from '../settings/settings.js';

/** Injects the logger: `@Inject(LOGGER) private readonly logger: Logger`, with `Logger` from pino. */
export const LOGGER = Symbol('Logger');

/** Creates the logger of the service. @param destination receives the lines, stdout by default */
export function createLogger(
  { logLevel, logFormat }: Pick<Settings, 'logLevel' | 'logFormat'>,
  destination?: DestinationStream,
): Logger {
  const isPretty = logFormat === 'pretty';
  const output = destination ?? standardOutput();
  const options = {
    level: logLevel,
    // No process id and no host name: a collector of several instances adds them.
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: serializeError },
  };
  // Colours only on a terminal, and not with NO_COLOR.
  const isColored = destination === undefined && isColorSupported;
  const logger = pino(options, isPretty ? prettier(output, isColored) : output);
  if (output instanceof LogOutput) {
    output.onRecovery = (lines, { message: cause }) =>
      logger.warn({ dropped_lines: lines, cause }, 'The log can be written again; lines were dropped.');
  }
  return logger;
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
