import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import { AppModule } from '../app.module.js';
import { configureApp } from './configure-app.js';
import { FastExpressAdapter } from '../http/pipeline/fast-express-adapter.js';
import { NestLogger } from '../logging/nest-logger.js';
import type { Settings } from '../settings/settings.js';

/** Makes the service, not yet listening: used by start.ts and by the tests, so that both meet the same one. */
export async function createApp(settings: Settings, logger: Logger): Promise<NestExpressApplication> {
  const adapter = new FastExpressAdapter();
  const app = await NestFactory.create<NestExpressApplication>(AppModule.of(settings, logger), adapter, {
    // Bodies are read once the route, the origin and the header fields are known to be in order; see http/http-pipeline.ts.
    bodyParser: false,
    logger: new NestLogger(logger),
    abortOnError: false,
  });
  configureApp(app, adapter);
  return app;
}
