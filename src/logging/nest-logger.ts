import type { LoggerService } from '@nestjs/common';
import { inspect } from 'node:util';
import type { Level, Logger } from 'pino';
import { StartFault } from '../settings/settings.js';
import { formatStack, isError } from './error-record.js';

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
