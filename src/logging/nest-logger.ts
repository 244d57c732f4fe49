import type { LoggerService } from '@nestjs/common';
import { inspect } from 'node:util';
import type { Level, Logger } from 'pino';
import { StartFault } from '../settings/settings.js';
import { formatStack, isError } from './error-record.js';

/**
 * Nest's own log lines, written by the logger of the service.
 *
 * Nest passes everything by position: a message, then what belongs to it, then a stack (for errors), then the context,
 * which is the name of the class that logs. Here the context becomes the field `context` and an error `err`.
 */
export function nestLogger(logger: Logger): Required<Omit<LoggerService, 'setLogLevels'>> {
  const at =
    (level: Level) =>
    (message: unknown, ...rest: unknown[]): void => {
      // Nest says much at start that a quiet level never shows.
      if (logger.isLevelEnabled(level)) write(logger, level, message, rest);
    };
  const error = at('error');
  return {
    // What Nest logs of every module and route at start is of use to its developers only.
    log: at('debug'),
    error: (...said) => {
      // Why the service cannot start is said by main.ts, once.
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

/** @nestjs/typeorm passes on the stack alone, and `listen` the text of what listen.ts explains. */
function isStartFault(value: unknown): boolean {
  return (
    value instanceof StartFault ||
    (typeof value === 'string' && /^(?:StartFault|Error: listen)\b/.test(value))
  );
}

function isStack(value: unknown): value is string {
  return typeof value === 'string' && /\n +at /.test(value);
}
