import 'reflect-metadata';
import { createApp } from './create-app.js';
import { stopGracefully } from './graceful-stop.js';
import { createLogger } from './logging/logger.js';
import { StartFault } from './start-fault.js';
import { listen } from './listen.js';
import { loadSettings } from './settings/load-settings.js';
import { SettingsError } from './settings/settings.js';

try {
  const settings = loadSettings();
  const logger = createLogger(settings);
  const app = await createApp(settings, logger);
  stopGracefully(app, logger, settings);
  await listen(app, settings);
  logger.info(`The Posts Service listens on ${await app.getUrl()}${settings.basePath}/`);
} catch (error) {
  const isExplained = error instanceof SettingsError || error instanceof StartFault;
  process.stderr.write(`${isExplained ? error.message : (error as Error).stack}\n`);
  process.exit(1);
}
