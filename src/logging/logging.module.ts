import { type DynamicModule, Module } from '@nestjs/common';
import type { Logger } from 'pino';

/** Injects the logger: `@Inject(LOGGER) private readonly logger: Logger`, with `Logger` from pino. */
export const LOGGER = Symbol('Logger');

/** Offers the logger of the service to every module. */
@Module({})
export class LoggingModule {
  static of(logger: Logger): DynamicModule {
    return {
      module: LoggingModule,
      global: true,
      providers: [{ provide: LOGGER, useValue: logger }],
      exports: [LOGGER],
    };
  }
}
