import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import { AppModule } from '../app.module.js';
import { FastExpressAdapter } from '../http/pipeline/fast-express-adapter.js';
import { HttpPipeline } from '../http/pipeline/http-pipeline.js';
import { nestLogger } from '../logging/nest-logger.js';
import { OpenApiService } from '../openapi/openapi.service.js';
import { SETTINGS, type Settings } from '../settings/settings.js';

/** Creates the service without listening, for start.ts and for tests. */
export async function createApp(settings: Settings, logger: Logger): Promise<NestExpressApplication> {
  const adapter = new FastExpressAdapter();
  const app = await NestFactory.create<NestExpressApplication>(AppModule.of(settings, logger), adapter, {
    // input.guard.ts reads bodies, after the checks of the header fields.
    bodyParser: false,
    logger: nestLogger(logger),
    abortOnError: false,
  });
  configureApp(app, adapter);
  app.get(OpenApiService, { strict: false }).app = app;
  return app;
}

/** Sets up everything in front of the controllers. Tests also call it for apps with modules of their own. */
export function configureApp(app: NestExpressApplication, adapter: FastExpressAdapter): void {
  adapter.pipeline = app.get(HttpPipeline);
  app.disable('x-powered-by');
  app.set('trust proxy', app.get<Settings>(SETTINGS).trustProxy);
}
