import { types } from 'node:util';
import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
import { isColorSupported, prettyFactory } from 'pino-pretty';
import type { Settings } from '../settings/settings.js';
import { withSourceLines } from './source-lines.js';
import { standardOutput } from './standard-output.js';

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
  // Node opens `process.stdout` at its first use, and sets a pipe to non-blocking mode.
  const output = destination ?? standardOutput(process.stdout.fd);
  // Colours only on a terminal, and not with NO_COLOR.
  const format =
    logFormat === 'json' ? escapeRawControls : prettifier(destination === undefined && isColorSupported);
  return pino(
    {
      level: logLevel,
      // No process id and no host name: a collector of several instances adds them.
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: serializeError },
    },
    { write: (line) => output.write(format(line)) },
  );
}

/**
 * The type, message, stack and code of an error, the stacks of its causes, and, for a fault of the database, the
 * statement without its values and the place that made it. Other properties are omitted: TypeORM's `parameters`, for
 * example, contain whole posts.
 */
function serializeError(thrown: unknown): unknown {
  if (!isError(thrown)) return thrown;
  const { name, message } = thrown;
  const { code, sql, queryMadeAt } = thrown as { code?: unknown; sql?: unknown; queryMadeAt?: string };
  const stack = withSourceLines(stacksOf(thrown, MAX_CAUSES).join('\ncaused by: '));
  return { type: name, message, stack, code, sql, queryMadeAt: queryMadeAt && withSourceLines(queryMadeAt) };
}

/** A chain of causes can be circular. */
const MAX_CAUSES = 5;

/** The stack of an error and those of its causes; the errors of an `AggregateError` count as causes. */
function stacksOf(error: unknown, depth: number): string[] {
  if (!isError(error) || depth === 0) return [];
  const { errors = [] } = error as { errors?: unknown[] };
  const causes = [error.cause, ...errors].flatMap((cause) => stacksOf(cause, depth - 1));
  return [error.stack ?? `${error.name}: ${error.message}`, ...causes];
}

/** Also recognises errors of another realm, which are not `instanceof Error` here (jest's against Node's own). */
export function isError(value: unknown): value is Error {
  return value instanceof Error || types.isNativeError(value);
}

/**
 * Escapes, within JSON, characters that JSON allows although some readers break lines at them or interpret them: DEL,
 * the C1 controls (NEL among them) and U+2028, U+2029. The value of the JSON is unchanged.
 */
function escapeRawControls(json: string): string {
  // The line feed that ends a record is not in the class, so it is kept.
  return json.replace(/[\u007F-\u009F\u2028\u2029]/g, escapeUnit);
}

function escapeUnit(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** @returns a function that formats a line of JSON for people */
function prettifier(colorize: boolean): (line: string) => string {
  const prettify = prettyFactory({ colorize, singleLine: true, translateTime: 'SYS:HH:MM:ss.l' });
  return (line) => prettify(JSON.parse(line, escapeText));
}

/**
 * Makes a text safe to print in one line: no character breaks the line, controls a terminal or reorders the text.
 * Otherwise, client input (a path, a title) could forge log lines (CWE-117). The frames of a stack keep their lines.
 */
function escapeText(key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const lines = key === 'stack' ? value.split(/\n(?= +at |caused by: )/) : [value];
  return lines.map((line) => line.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, escapeShort)).join('\n');
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escapeShort(character: string): string {
  return SHORT_ESCAPES[character] ?? escapeUnit(character);
}
