import { type DynamicModule, Module } from '@nestjs/common';
import type { Logger } from 'pino';
import { DatabaseModule } from '../database/index.js';
import { LOGGER } from '../logging/logger.js';
import { UniqueValues } from '../problem-details/index.js';
import { type Settings, SETTINGS } from '../settings/settings.js';

/**
 * Provides what every module may use, also in a command: the settings and the logger, which exist before Nest starts, the
 * database, and the unique values of all resources.
 */
@Module({})
export class GlobalsModule {
  /** @param database opened in another way than the service does */
  static of(settings: Settings, logger: Logger, database = DatabaseModule.forRoot()): DynamicModule {
    return {
      module: GlobalsModule,
      global: true,
      imports: [database],
      providers: [
        { provide: SETTINGS, useValue: settings },
        { provide: LOGGER, useValue: logger },
        UniqueValues,
      ],
      exports: [SETTINGS, LOGGER, UniqueValues],
    };
  }
}
