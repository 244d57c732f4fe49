import type { LoggerService } from '@nestjs/common';
import { inspect } from 'node:util';
import { type DestinationStream, type Level, type Logger, pino, stdTimeFunctions } from 'pino';
import { isColorSupported, prettyFactory } from 'pino-pretty';
import { type Settings, StartFault } from '../settings/settings.js';
import {
  describeError,
  escapeControlCharacters,
  escapeRawControlCharacters,
  formatStack,
  isError,
} from './error-record.js';
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

/**
 * A logger for Nest that writes through the logger of the service.
 *
 * Nest passes arguments by position: a message, then parameters, then a stack (for errors), then the context, which is
 * the name of the logging class. Here, the context becomes the field `context` and an error becomes `err`.
 */
export function nestLogger(logger: Logger): Required<Omit<LoggerService, 'setLogLevels'>> {
  const at =
    (level: Level) =>
    (message: unknown, ...rest: unknown[]): void => {
      // Nest logs many lines at start; disabled levels skip the work.
      if (logger.isLevelEnabled(level)) write(logger, level, message, rest);
    };
  const error = at('error');
  return {
    // Nest's lines about every module and route at start are useful only to developers.
    log: at('debug'),
    error: (...said) => {
      // main.ts reports a failed start, once.
      if (!said.some(isStartFault)) error(...said);
    },
    warn: at('warn'),
    debug: at('debug'),
    verbose: at('trace'),
    fatal: at('fatal'),
  };
}

function write(logger: Logger, level: Level, message: unknown, rest: readonly unknown[]): void {
  const last = rest.at(-1);
  const context = typeof last === 'string' && !isStack(last) ? last : undefined;
  const others = (context === undefined ? rest : rest.slice(0, -1)).filter((part) => part !== undefined);
  const stack = others.find(isStack);
  const params = others.filter((part) => part !== stack && !isError(part));
  const text = describeMessage(message);
  const err =
    [message, ...others].find(isError) ??
    (stack === undefined ? undefined : { type: 'Error', message: text, stack: formatStack(stack, text) });
  logger[level]({ context, ...(params.length > 0 && { params }), err }, text);
}

function describeMessage(message: unknown): string {
  if (typeof message === 'string') return message;
  if (isError(message)) return message.message;
  return inspect(message, { breakLength: Infinity });
}

/** @nestjs/typeorm passes only the stack, and `listen` passes the text of an error that start.ts explains. */
function isStartFault(value: unknown): boolean {
  return (
    value instanceof StartFault ||
    (typeof value === 'string' && /^(?:StartFault|Error: listen)\b/.test(value))
  );
}

function isStack(value: unknown): value is string {
  return typeof value === 'string' && /\n +at /.test(value);
}
