import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { routeLabel } from '../http/request/route-table.js';
import { clientOf } from '../http/request/client-address.js';

/** Called for every request when its response is complete or its client has disconnected. */
export type CompletionObserver = (request: Request, response: Response, durationMs: number) => void;

/**
 * Adds one listener per request for all observers, because this runs for every request.
 *
 * @param onFault receives the errors of observers, which must not end the process
 */
export function observeCompletion(
  observers: readonly CompletionObserver[],
  onFault: (error: unknown, request: Request) => void,
): (request: Request, response: Response) => void {
  if (observers.length === 0) return () => {};
  return (request, response) => {
    const startedAt = performance.now();
    // 'close' is emitted once, and `on` is cheaper than `once`.
    response.on('close', () => {
      const durationMs = performance.now() - startedAt;
      for (const observe of observers) {
        try {
          observe(request, response, durationMs);
        } catch (error) {
          onFault(error, request);
        }
      }
    });
  };
}

/** The client closed the connection before it had the response (the status of nginx for it). */
const CLIENT_CLOSED_REQUEST = 499;

/** The status to log and to count for a request whose response has ended: 499 if its client has gone away. */
export function endStatusOf({ statusCode, writableFinished }: Response): number {
  // An error status of a response that was cut says why the service itself cut it.
  return writableFinished || statusCode >= 400 ? statusCode : CLIENT_CLOSED_REQUEST;
}

/**
 * Logs a line for every request but successful health checks, and never a query, a body or a header that may contain a
 * secret.
 */
export function requestLog(logger: Logger): CompletionObserver {
  return (request, response, durationMs) => {
    const { id, fullPath, route } = request.context;
    const status = endStatusOf(response);
    if (route?.name.startsWith('health-') && status === 200) return;
    const entry = {
      request_id: id,
      ...traceFields(request.headers['traceparent']),
      client: clientOf(request.ip),
      ...authorOf(request.user),
      method: request.method,
      path: fullPath,
      route: routeLabel(route),
      status,
      duration_ms: Math.round(durationMs * 1_000) / 1_000,
      ...(response.writableFinished ? {} : { aborted: true }),
    };
    logger.info(entry, 'request');
  };
}

function authorOf({ author, id }: Request['user']): { account?: string; token?: string } {
  if (author.kind === 'account') return { account: author.name! };
  if (author.kind === 'token') return { token: author.name! };
  return id === undefined ? {} : { token: 'API_TOKENS' };
}

/** `<version>-<trace id>-<parent id>-<flags>` (https://www.w3.org/TR/trace-context/); it names the span of the caller. */
export function traceFields(
  traceparent: string | string[] | undefined,
): { trace_id: string; parent_span_id: string } | undefined {
  const [, traceId, parentId] = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-/.exec(String(traceparent)) ?? [];
  return traceId && parentId ? { trace_id: traceId, parent_span_id: parentId } : undefined;
}
