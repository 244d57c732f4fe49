import 'reflect-metadata';
import type { NestApplication } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { FirstAccountService } from '../accounts/first-account.service.js';
import { InFlightRequests } from '../http/index.js';
import { createLogger } from '../logging/logger.js';
import { loadLogging, loadSettings } from '../settings/load-settings.js';
import { VERSION } from '../settings/package-info.js';
import { type Environment, type Settings, SettingsError, StartFault } from '../settings/settings.js';
import { createApp } from './create-app.js';
import { endOnSignal, STOP_SIGNALS } from './signals.js';

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
  const stopEnding = endOnSignal((signal) =>
    logger.info(`${signal}: the service ends before it has started.`),
  );
  const app = await createApp(settings, logger);
  stopEnding();
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
/**
 * How long before the end of SHUTDOWN_TIMEOUT running imports and unfinished bodies are refused. They have half of this
 * time to respond; the rest is for the refusals to arrive and for the database to close.
 */
const LAST_CALL_MS = 2_000;
/** The most of a short SHUTDOWN_TIMEOUT that this takes. */
const LAST_CALL_SHARE = 0.75;
/** How long a refusal has to reach a client that still sends. */
const LINGER_MS = 250;
/** Signals in this time after another are the same: a closed terminal, a supervisor and npm may each send theirs. */
const REPEAT_MS = 1_000;

/**
 * Stops the service on SIGTERM, SIGINT and SIGHUP, in three steps; a further signal goes on to the next one at once.
 *
 * 1. For SHUTDOWN_DELAY, readiness responds with 503, and all requests are served.
 * 2. The service stops listening; requests on open connections finish within SHUTDOWN_TIMEOUT. The database closes, and the
 *    process exits with 0.
 * 3. What still runs is cut, and the process exits with 1.
 */
function stopGracefully(app: NestExpressApplication, logger: Logger, settings: Settings): void {
  const { shutdownDelayMs, shutdownTimeoutMs } = settings;
  const inFlightRequests = app.get(InFlightRequests);
  let step: 'none' | 'delay' | 'stop' = 'none';
  let signalledAt = -Infinity;
  const delay = new AbortController();

  const exitNow = (): void => {
    inFlightRequests.cut();
    process.exit(1);
  };

  const serveOn = async (signal: NodeJS.Signals): Promise<void> => {
    step = 'delay';
    inFlightRequests.drain();
    if (shutdownDelayMs === 0) return;
    logger.info(`${signal}: /health/ready is 503; requests are served for SHUTDOWN_DELAY.`);
    // Rejected when it is aborted.
    await sleep(shutdownDelayMs, undefined, { signal: delay.signal }).catch(() => undefined);
  };

  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    step = 'stop';
    logger.info(`${signal}: the service stops once running requests are complete.`);
    setTimeout(() => {
      logger.error('The service did not stop within SHUTDOWN_TIMEOUT; it exits now.');
      exitNow();
    }, shutdownTimeoutMs).unref();
    await endRequests(app, shutdownTimeoutMs);
    await (app as NestExpressApplication & NestApplication).close(signal);
    logger.info('The service has stopped.');
    process.exit(0);
  };

  const receive = async (signal: NodeJS.Signals): Promise<void> => {
    if (performance.now() - signalledAt < REPEAT_MS) return;
    signalledAt = performance.now();
    if (step === 'none') {
      await serveOn(signal);
      await stop(signal);
    } else if (step === 'delay') {
      delay.abort();
    } else {
      logger.warn(`${signal} again: the service ends at once.`);
      exitNow();
    }
  };
  for (const signal of STOP_SIGNALS) process.on(signal, (received) => void receive(received));
}

/** Stops listening, waits for the running requests, and then closes all connections. */
async function endRequests(app: NestExpressApplication, timeoutMs: number): Promise<void> {
  const server: Server = app.getHttpServer();
  const inFlightRequests = app.get(InFlightRequests);
  const lastCallMs = Math.min(LAST_CALL_MS, timeoutMs * LAST_CALL_SHARE);
  const lingerMs = Math.min(LINGER_MS, lastCallMs / 4);
  const lastCallAt = performance.now() + timeoutMs - lastCallMs;
  await stopListening(server);
  inFlightRequests.endStreams();
  // A connection that was just accepted may bring a request only now. Each response closes its connection, so that there are
  // ever fewer.
  do {
    await Promise.race([inFlightRequests.empty(), sleep(lastCallAt - performance.now())]);
    await sleep(Math.min(lingerMs, lastCallAt - performance.now()));
  } while (inFlightRequests.count > 0 && performance.now() < lastCallAt);
  inFlightRequests.refuseUnfinished();
  await Promise.race([inFlightRequests.empty(), sleep(lastCallMs / 2)]);
  await sleep(lingerMs);
  inFlightRequests.cut();
  server.closeAllConnections();
}

/**
 * A proxy that finds the port closed takes another instance, also for a POST; a 503 it would pass on. Connections that are
 * open stay, and get a response: an HTTP server would close the idle ones, of which one may just bring a request.
 */
async function stopListening(server: Server): Promise<void> {
  // Right after the event loop has accepted what was waiting: the system resets connections that nobody has accepted.
  await setImmediate();
  NetServer.prototype.close.call(server);
}
