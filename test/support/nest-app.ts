import type { DynamicModule, Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from '../../src/app.module.js';
import { createApp } from '../../src/bootstrap/create-app.js';
import { createLogger } from '../../src/logging/logger.js';
import { readSettings } from '../../src/settings/settings.js';
import { type FreshDatabase, freshDatabase } from './database.js';

/** Makes an app of the service's module and others, which does not listen yet. It is closed at the end of the file. */
export async function makeApp(
  moduleOf: (service: DynamicModule) => Type | DynamicModule,
  database?: FreshDatabase,
  environment: Readonly<Record<string, string>> = {},
): Promise<NestExpressApplication> {
  const used = database ?? (await freshDatabase());
  const variables = {
    DATABASE_URL: used.url,
    PASSWORD_HASH_MEMORY: '16',
    LOG_LEVEL: 'silent',
    ...environment,
  };
  const settings = readSettings(variables, { isTerminal: false });
  const logger = createLogger(settings);
  const app = await createApp(settings, logger, moduleOf(AppModule.of(settings, logger)));
  apps.push({ app, database: used });
  return app;
}

const apps: { app: NestExpressApplication; database: FreshDatabase }[] = [];

afterAll(async () => {
  await Promise.all(apps.map(({ app }) => app.close()));
  await Promise.all(apps.map(({ database }) => database.remove()));
});
