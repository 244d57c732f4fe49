import { type DynamicModule, Module } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOGGER } from '../logging/logger.js';
import { type Settings, SETTINGS } from '../settings/settings.js';

/** Provides the settings and the logger to every module; both exist before Nest starts. */
@Module({})
export class GlobalsModule {
  static of(settings: Settings, logger: Logger): DynamicModule {
    return {
      module: GlobalsModule,
      global: true,
      providers: [
        { provide: SETTINGS, useValue: settings },
        { provide: LOGGER, useValue: logger },
      ],
      exports: [SETTINGS, LOGGER],
    };
  }
}
