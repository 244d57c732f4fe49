import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import { AppModule } from '../app.module.js';
import { HttpModule } from '../http/http.module.js';
import { FastExpressAdapter } from '../http/server/fast-express-adapter.js';
import { Origins } from '../http/access/origins.js';
import { InFlightRequests } from '../http/server/in-flight-requests.js';
import { parseQuery } from '../http/bodies/field-texts.js';
import { ResponseCache } from '../http/cache/response-cache.js';
import { ResponseWriter } from '../http/response/response-writer.js';
import { nestLogger } from '../logging/nest-logger.js';
import { OpenApiService } from '../openapi/openapi.service.js';
import type { Settings } from '../settings/settings.js';

/** Creates the service without listening, for start.ts and for tests. @param module a test may add modules of its own */
export async function createApp(
  settings: Settings,
  logger: Logger,
  module: Type | DynamicModule = AppModule.of(settings, logger),
): Promise<NestExpressApplication> {
  const adapter = new FastExpressAdapter();
  // The first import has the first global guards, pipes and filters; those of AppModule and of other modules follow.
  const root = { module: class RootModule {}, imports: [HttpModule, module] };
  const app = await NestFactory.create<NestExpressApplication>(root, adapter, {
    // input.guard.ts reads bodies, after the checks of the header fields.
    bodyParser: false,
    logger: nestLogger(logger),
    abortOnError: false,
  });
  adapter.inFlightRequests = app.get(InFlightRequests, { strict: false });
  adapter.cache = app.get(ResponseCache, { strict: false });
  adapter.writer = app.get(ResponseWriter, { strict: false });
  app.set('query parser', parseQuery);
  app.disable('x-powered-by');
  app.set('trust proxy', settings.trustProxy);
  if (settings.corsOrigins.length > 0) app.enableCors(new Origins(settings).corsOptions);
  app.get(OpenApiService, { strict: false }).app = app;
  return app;
}
