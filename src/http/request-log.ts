import type { Request, Response } from 'express';
import type { Logger } from 'pino';

/** Writes a line for every request once it is answered, or its client has gone; never a query, a body or a header. */
export function requestLog(logger: Logger): (request: Request, response: Response) => void {
  if (!logger.isLevelEnabled('info')) return () => {};
  return (request, response) => {
    const startedAt = performance.now();
    response.once('close', () => {
      const { id, fullPath, route } = request.context;
      const entry = {
        request_id: id,
        method: request.method,
        path: fullPath,
        route: route?.name,
        status: response.statusCode,
        duration_ms: Math.round((performance.now() - startedAt) * 1000) / 1000,
        ...(response.writableFinished ? {} : { aborted: true }),
      };
      logger.info(entry, 'request');
    });
  };
}
