import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import { HealthService } from './health/health.service.js';
import type { Settings } from './settings/settings.js';

/**
 * Stops the service on SIGTERM and SIGINT: readiness turns 503, running requests finish, the database closes, exit 0.
 * What takes longer than SHUTDOWN_TIMEOUT, or a second signal, ends it at once.
 */
export function stopGracefully(app: NestExpressApplication, logger: Logger, { shutdownTimeoutMs }: Settings): void {
  let stopping = false;
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (stopping) {
      logger.warn(`${signal} again: the service ends at once.`);
      process.exit(1);
    }
    stopping = true;
    logger.info(`${signal}: the service stops once running requests are answered.`);
    app.get(HealthService).stop();
    setTimeout(() => {
      logger.error('The service did not stop in time; SHUTDOWN_TIMEOUT bounds it.');
      process.exit(1);
    }, shutdownTimeoutMs).unref();
    await app.close();
    logger.info('The service has stopped.');
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, (received) => void stop(received));
  }
}
