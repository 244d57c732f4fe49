import type { Logger } from 'pino';
import type { CompletionObserver } from './completed-requests.js';
import { traceFields } from '../protocol/trace-context.js';

/** Writes a line for every request; never a query, a body or a header that may hold a secret. */
export function requestLog(logger: Logger): CompletionObserver {
  return ({ context, method, headers }, response, durationMs) => {
    const { id, fullPath, route } = context;
    const entry = {
      request_id: id,
      ...traceFields(headers['traceparent']),
      method,
      path: fullPath,
      route: route?.name,
      status: response.statusCode,
      duration_ms: Math.round(durationMs * 1_000) / 1_000,
      ...(response.writableFinished ? {} : { aborted: true }),
    };
    logger.info(entry, 'request');
  };
}
