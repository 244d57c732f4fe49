import type { LoggerService } from '@nestjs/common';
import { inspect } from 'node:util';
import type { Level, Logger } from 'pino';
import { isError } from './logger.js';

/** The classes of Nest that log why the start failed. main.ts reports it, once. */
const START_CONTEXTS: ReadonlySet<unknown> = new Set(['ExceptionHandler', 'TypeOrmModule']);

/**
 * A logger for Nest that writes through the logger of the service.
 *
 * Nest passes a message, then parameters, then a stack (for errors), then the context, which is the name of the logging
 * class. Here, the context becomes the field `context` and an error becomes `err`.
 */
export function nestLogger(logger: Logger): Required<Omit<LoggerService, 'setLogLevels'>> {
  const at =
    (level: Level) =>
    (message: unknown, ...rest: unknown[]): void => {
      // Nest logs many lines at start; disabled levels skip the work.
      if (!logger.isLevelEnabled(level) || START_CONTEXTS.has(rest.at(-1))) return;
      const text = isError(message)
        ? message.message
        : typeof message === 'string'
          ? message
          : inspect(message, { breakLength: Infinity });
      const stack = rest.find(isStack);
      const context = rest.at(-1) === stack ? undefined : rest.at(-1);
      const params = rest
        .slice(0, context === undefined ? undefined : -1)
        .filter((each) => each !== undefined && each !== stack && !isError(each));
      const err = [message, ...rest].find(isError) ?? (stack && { type: 'Error', message: text, stack });
      logger[level]({ context, ...(params.length > 0 && { params }), err }, text);
    };
  return {
    // Nest's lines about every module and route at start are useful only to developers.
    log: at('debug'),
    error: at('error'),
    warn: at('warn'),
    debug: at('debug'),
    verbose: at('trace'),
    fatal: at('fatal'),
  };
}

function isStack(value: unknown): value is string {
  return typeof value === 'string' && /\n +at /.test(value);
}
