import 'reflect-metadata';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { FirstAccountService } from '../accounts/first-account.service.js';
import { Database } from '../database/database.js';
import { createLogger } from '../logging/logger.js';
import { INFO } from '../openapi/info.js';
import { commandPrefix, loadSettings } from '../settings/load-settings.js';
import { shownAddress } from '../settings/postgres-url.js';
import { type Environment, type Settings, StartFault } from '../settings/settings.js';
import { createApp } from './create-app.js';
import { stopGracefully } from './graceful-stop.js';

const EXPLANATIONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use by another program; stop that program, or set PORT',
  EACCES: 'needs more rights than this user has; set PORT to 1024 or higher',
  EADDRNOTAVAIL: 'is not an address of this machine; set HOST',
};

/** @throws StartFault when the address cannot be listened on */
async function listen(
  app: NestExpressApplication,
  { host, port }: Pick<Settings, 'host' | 'port'>,
): Promise<void> {
  try {
    await app.listen(port, host);
  } catch (cause) {
    const explanation = EXPLANATIONS[(cause as { code?: string }).code ?? ''];
    await app.close();
    if (explanation === undefined) throw cause;
    throw new StartFault(`${host}:${port} ${explanation}.`, { cause });
  }
}

/**
 * The greeting on a terminal: the addresses of the service, and what to try.
 *
 * @param listensAt the address at which the service listens, without a trailing slash
 * @param prefix the text to type before the name of a command
 * @param password the generated password of the administration site, if this start has generated one
 */
export function welcome(
  { publicUrl, basePath, database, admin }: Settings,
  listensAt: string,
  prefix: string,
  password?: string,
): string {
  const base = publicUrl ?? listensAt + basePath;
  return `
  The Posts Service ${INFO.version} is running.

    Posts            ${base}/posts/
    Try it           ${base}/docs/
    Administration   ${base}/admin/
    Sample posts     ${prefix} seed 1000 --url ${base}/
    Data             ${database.kind === 'sqlite' ? database.path : shownAddress(database.url)}

  Stop it with Ctrl+C.
${
  password === undefined
    ? ''
    : `
  Log in as ${admin.username} with the password ${password} - it is not shown again.
`
}
`;
}

/**
 * Starts the service.
 *
 * @param overrides settings that override the environment
 * @throws {StartFault}
 */
export async function start(overrides: Environment): Promise<void> {
  const settings = loadSettings({ overrides });
  const logger = createLogger(settings);
  const app = await createApp(settings, logger);
  stopGracefully(app, logger, settings);
  await listen(app, settings);
  const listensAt = await app.getUrl();
  const url = `${listensAt}${settings.basePath}/`;
  await app.get(Database).noteServiceUrl(url);
  logger.info(`The Posts Service listens on ${url}`);
  if (process.stdout.isTTY && settings.logFormat === 'pretty') {
    const password = await app.get(FirstAccountService).whenMade();
    process.stdout.write(welcome(settings, listensAt, commandPrefix(), password));
  }
}
