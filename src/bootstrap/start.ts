import 'reflect-metadata';
import type { NestApplication } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { FirstAccountService } from '../accounts/first-account.service.js';
import { InFlightRequests } from '../http/index.js';
import { createLogger } from '../logging/logger.js';
import { loadLogging, loadSettings } from '../settings/load-settings.js';
import { VERSION } from '../settings/package-info.js';
import { type Environment, type Settings, SettingsError, StartFault } from '../settings/settings.js';
import { createApp } from './create-app.js';

/**
 * Starts the service. A start that fails is reported, and ends the process with status 1.
 *
 * @param overrides settings that override the environment
 */
export async function start(overrides: Environment): Promise<void> {
  const logging = loadLogging(overrides);
  const logger = createLogger(logging);
  logFaults(logger);
  try {
    await listen(loadSettings(overrides), logger);
  } catch (error) {
    reportFailure(error as Error, logger, logging);
    process.exit(1);
  }
}

async function listen(settings: Settings, logger: Logger): Promise<void> {
  for (const warning of settings.warnings) logger.warn(warning);
  const app = await createApp(settings, logger);
  stopGracefully(app, logger, settings);
  await app.listen(settings.port, settings.host).catch((cause: Error) => {
    throw new StartFault(`${cause.message}. Set PORT or HOST.`, { cause });
  });
  const listensAt = await app.getUrl();
  logger.info({ version: VERSION }, `The Posts Service listens on ${listensAt}${settings.basePath}/`);
  const baseUrl = settings.publicUrl ?? listensAt + settings.basePath;
  logger.info(`Try it at ${baseUrl}/docs/; the administration site is at ${baseUrl}/admin/.`);
  await app.get(FirstAccountService, { strict: false }).makeFirst();
}

/** Logs what Node would write to standard error as plain text: the error that ends the process, and warnings. */
function logFaults(logger: Logger): void {
  process.on('uncaughtException', (err) => {
    logger.fatal({ err }, 'The service ends, because nothing has handled an error.');
    process.exit(1);
  });
  process.removeAllListeners('warning');
  process.on('warning', (err) => logger.warn({ err }, 'Node.js warns.'));
}

/** Says why the start has failed: to people in a sentence on standard error, to machines in one line of the log. */
function reportFailure(error: Error, logger: Logger, { logFormat }: Pick<Settings, 'logFormat'>): void {
  if (logFormat === 'pretty') {
    process.stderr.write(`${isExplained(error) ? error.message : error.stack!}\n`);
    return;
  }
  // Also with LOG_LEVEL=silent: otherwise the start would fail without a word.
  const always = logger.child({}, { level: 'fatal' });
  if (error instanceof SettingsError) always.fatal({ faults: error.faults }, 'The settings cannot be used.');
  else if (isExplained(error)) always.fatal(error.message);
  else always.fatal({ err: error }, 'The start has failed.');
}

/** Whether the message alone says what to do. Node's errors of system calls say what failed, and where. */
function isExplained(error: Error): boolean {
  return error instanceof StartFault || (error as NodeJS.ErrnoException).syscall !== undefined;
}
/** How long before the timeout running imports and unfinished bodies are refused; they have half of it to respond. */
const LAST_CALL_MS = 2_000;
/** How long a refusal has to reach a client that still sends. */
const LINGER_MS = 250;
/**
 * Signals in this time after the first one are the same stop: a closed terminal, a supervisor and npm may each send
 * theirs.
 */
const REPEAT_MS = 1_000;
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Stops the service on SIGTERM, SIGINT and SIGHUP: readiness responds with 503, new requests are refused, running
 * requests finish, the database closes, and the process exits with 0. After SHUTDOWN_TIMEOUT, or on a signal after
 * {@link REPEAT_MS}, the process exits at once.
 */
function stopGracefully(app: NestExpressApplication, logger: Logger, { shutdownTimeoutMs }: Settings): void {
  let stoppingSince: number | undefined;
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince < REPEAT_MS) return;
      logger.warn(`${signal} again: the service ends at once.`);
      app.get(InFlightRequests).cut();
      process.exit(1);
    }
    stoppingSince = performance.now();
    logger.info(`${signal}: the service stops once running requests are complete.`);
    setTimeout(() => {
      logger.error('The service did not stop within SHUTDOWN_TIMEOUT; it exits now.');
      app.get(InFlightRequests).cut();
      process.exit(1);
    }, shutdownTimeoutMs).unref();
    await endRequests(app, shutdownTimeoutMs);
    await (app as NestExpressApplication & NestApplication).close(signal);
    logger.info('The service has stopped.');
    process.exit(0);
  };
  for (const signal of SIGNALS) process.on(signal, (received) => void stop(received));
}

/** Waits for the running requests, and then closes all connections. */
async function endRequests(app: NestExpressApplication, timeoutMs: number): Promise<void> {
  const server: Server = app.getHttpServer();
  const inFlightRequests = app.get(InFlightRequests);
  const finished = inFlightRequests.stop();
  await Promise.race([finished, sleep(Math.max(0, timeoutMs - LAST_CALL_MS))]);
  inFlightRequests.refuseUnfinished();
  await Promise.race([finished, sleep(LAST_CALL_MS / 2)]);
  await sleep(LINGER_MS);
  inFlightRequests.cut();
  server.closeAllConnections();
}
