import type { LoggerService } from '@nestjs/common';
import { format } from 'node:util';
import type { Level, Logger } from 'pino';

/** The classes of Nest that log why the start failed. main.ts reports it, once. */
const START_CONTEXTS: ReadonlySet<unknown> = new Set([
  'ExceptionHandler',
  'NestApplication',
  'TypeOrmModule',
]);

/** The classes of Nest that log every module and route at start, which is useful only to developers. */
const NEST_CONTEXTS: ReadonlySet<unknown> = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

/**
 * A logger for Nest that writes through the logger of the service. Nest passes a message, then parameters such as a
 * stack, and last the context, which is the name of the logging class.
 */
export function nestLogger(logger: Logger) {
  const at =
    (level: Level) =>
    (message: unknown, ...rest: unknown[]): void => {
      const context = rest.pop();
      // Nest logs many lines at start; disabled levels skip the work.
      if (!logger.isLevelEnabled(level) || START_CONTEXTS.has(context)) return;
      const err = [message, ...rest].find((each) => each instanceof Error);
      const params = rest.filter((each) => each !== undefined && each !== err);
      const text = message instanceof Error ? message.message : format(message);
      logger[level]({ context, err, ...(params.length > 0 && { params }) }, text);
    };
  const [debug, info] = [at('debug'), at('info')];
  return {
    log: (message: unknown, ...rest: unknown[]): void =>
      (NEST_CONTEXTS.has(rest.at(-1)) ? debug : info)(message, ...rest),
    error: at('error'),
    warn: at('warn'),
    debug,
    verbose: at('trace'),
    fatal: at('fatal'),
  } satisfies LoggerService;
}
