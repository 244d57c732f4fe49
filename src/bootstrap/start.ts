import 'reflect-metadata';
import { createApp } from './create-app.js';
import { stopGracefully } from './graceful-stop.js';
import { listen } from './listen.js';
import { createLogger } from '../logging/logger.js';
import { loadSettings } from '../settings/load-settings.js';
import { commandPrefix } from '../settings/npm-script.js';
import type { Environment } from '../settings/settings.js';
import { welcome } from './welcome.js';

/**
 * Starts the service.
 *
 * @param overrides settings that override the environment
 * @throws {SettingsError | StartFault}
 */
export async function start(overrides: Environment): Promise<void> {
  const settings = loadSettings({ overrides });
  const logger = createLogger(settings);
  const app = await createApp(settings, logger);
  stopGracefully(app, logger, settings);
  await listen(app, settings);
  const listensAt = await app.getUrl();
  logger.info(`The Posts Service listens on ${listensAt}${settings.basePath}/`);
  if (process.stdout.isTTY && settings.logFormat === 'pretty') {
    process.stdout.write(welcome(settings, listensAt, commandPrefix()));
  }
}
