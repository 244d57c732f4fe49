import { type DynamicModule, Module } from '@nestjs/common';
import type { Logger } from 'pino';
import { Database } from '../database/database.js';
import { DatabaseModule } from '../database/database.module.js';
import { InFlightRequests } from '../http/server/in-flight-requests.js';
import { CHANGE_ANNOUNCER, ResponseCache } from '../http/cache/response-cache.js';
import { ResponseWriter } from '../http/response/response-writer.js';
import { LOGGER } from '../logging/logger.js';
import { type Settings, SETTINGS } from '../settings/settings.js';

/**
 * Provides what every module may use, also in a command without HTTP: the settings and the logger, which exist before
 * Nest starts, the database, the requests whose work the stop ends, the cache, which the interceptor of a controller
 * needs, and the writer of responses and problems.
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
        InFlightRequests,
        ResponseCache,
        ResponseWriter,
        { provide: CHANGE_ANNOUNCER, useExisting: Database },
      ],
      exports: [SETTINGS, LOGGER, InFlightRequests, ResponseCache, ResponseWriter],
    };
  }
}
