import 'reflect-metadata';
import { createApp } from './create-app.js';
import { stopGracefully } from './graceful-stop.js';
import { createLogger } from './logging/logger.js';
import { StartFault } from './settings/start-fault.js';
import { listen } from './listen.js';
import { loadSettings } from './settings/load-settings.js';

try {
  const settings = loadSettings();
  const logger = createLogger(settings);
  const app = await createApp(settings, logger);
  stopGracefully(app, logger, settings);
  await listen(app, settings);
  logger.info(`The Posts Service listens on ${await app.getUrl()}${settings.basePath}/`);
} catch (error) {
  process.stderr.write(`${error instanceof StartFault ? error.message : (error as Error).stack}\n`);
  process.exit(1);
}
