import type { DynamicModule, Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import { AppModule } from '../app.module.js';
import { createHttpApplication } from '../http/index.js';
import { nestLogger } from '../logging/nest-logger.js';
import type { Settings } from '../settings/settings.js';

/** Creates the service without listening, for start.ts and for tests. @param module a test may add modules of its own */
export function createApp(
  settings: Settings,
  logger: Logger,
  module: Type | DynamicModule = AppModule.of(settings, logger),
): Promise<NestExpressApplication> {
  return createHttpApplication(module, settings, nestLogger(logger));
}
