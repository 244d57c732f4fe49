import type { DynamicModule, LoggerService, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Express } from 'express';
import type { Settings } from '../settings/settings.js';
import { Origins } from './access/origins.js';
import { parseQuery } from './bodies/field-texts.js';
import { trustProxies } from './client/client-address.js';
import { HttpModule } from './http.module.js';
import { FastExpressAdapter } from './server/fast-express-adapter.js';

/** Makes a Nest application that serves a module over HTTP, without listening. */
export async function createHttpApplication(
  application: Type | DynamicModule,
  settings: Settings,
  logger: LoggerService,
): Promise<NestExpressApplication> {
  const adapter = new FastExpressAdapter();
  const app = await NestFactory.create<NestExpressApplication>(HttpModule.serving(application), adapter, {
    // body.guard.ts reads bodies, after the checks of the header fields.
    bodyParser: false,
    logger,
    abortOnError: false,
  });
  app.set('query parser', parseQuery);
  app.disable('x-powered-by');
  trustProxies(adapter.getInstance<Express>(), settings.trustProxy);
  if (settings.corsOrigins.length > 0) app.enableCors(new Origins(settings).corsOptions);
  return app;
}
