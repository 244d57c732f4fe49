import 'reflect-metadata';
import { createApp } from './create-app.js';
import { stopGracefully } from './graceful-stop.js';
import { createLogger } from './logging/logger.js';
import { loadSettings } from './settings/load-settings.js';
import { SettingsError } from './settings/settings.js';

try {
  const settings = loadSettings();
  const logger = createLogger(settings);
  const app = await createApp(settings, logger);
  stopGracefully(app, logger, settings);
  await app.listen(settings.port, settings.host);
  logger.info(`The Posts Service listens on ${await app.getUrl()}${settings.basePath}/`);
} catch (error) {
  process.stderr.write(`${error instanceof SettingsError ? error.message : (error as Error).stack}\n`);
  process.exit(1);
}
