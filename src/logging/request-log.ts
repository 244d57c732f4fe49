import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { clientOf } from '../http/request/client-address.js';

/** The route of a path that no handler has. Raw paths would give an unbounded number of metrics. */
export const NO_ROUTE = 'none';

/** The client closed the connection before it had the response (the status of nginx for it). */
const CLIENT_CLOSED_REQUEST = 499;

/** The status to log and to count for a request whose response has ended: 499 if its client has gone away. */
export function endStatusOf({ statusCode, writableFinished }: Response): number {
  // An error status of a response that was cut says why the service itself cut it.
  return writableFinished || statusCode >= 400 ? statusCode : CLIENT_CLOSED_REQUEST;
}

/**
 * Logs a line for a request whose response is complete or whose client has disconnected, except for successful health
 * checks. It never has a query, a body or a header that may contain a secret.
 */
export function logRequest(logger: Logger, request: Request, response: Response, durationMs: number): void {
  if (!logger.isLevelEnabled('info')) return;
  const { id, fullPath, route } = request.context;
  const { author } = request.user;
  const status = endStatusOf(response);
  if (route?.name.startsWith('health-') && status === 200) return;
  const { trace_id, parent_span_id } = traceFields(request.headers['traceparent']) ?? {};
  // pino leaves out what is undefined.
  const entry = {
    request_id: id,
    trace_id,
    parent_span_id,
    client: clientOf(request.ip),
    account: author.kind === 'account' ? author.name : undefined,
    token: tokenOf(request.user),
    method: request.method,
    path: fullPath,
    route: route?.path ?? NO_ROUTE,
    status,
    duration_ms: Math.round(durationMs * 1_000) / 1_000,
    aborted: response.writableFinished ? undefined : true,
  };
  logger.info(entry, 'request');
}

function tokenOf({ author, id }: Request['user']): string | undefined {
  if (author.kind === 'token') return author.name;
  return author.kind === 'api' && id !== undefined ? 'API_TOKENS' : undefined;
}

/** `<version>-<trace id>-<span id of the caller>-<flags>` (https://www.w3.org/TR/trace-context/) */
const TRACEPARENT = /^[\da-f]{2}-(?<trace_id>[\da-f]{32})-(?<parent_span_id>[\da-f]{16})-/;

function traceFields(traceparent: string | string[] | undefined): Record<string, string> | undefined {
  return TRACEPARENT.exec(String(traceparent))?.groups;
}
