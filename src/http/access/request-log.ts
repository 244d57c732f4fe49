import type { Request } from 'express';
import type { Logger } from 'pino';
import { clientOf } from '../client/client-address.js';
import { NO_ROUTE } from '../routes/route-table.js';

/** `traceparent` of W3C Trace Context, of version 00 or one that begins in the same way: version, trace, parent and flags. */
const TRACE_PARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:$|-)/;

/**
 * Logs a line for a request whose response is complete or whose client has disconnected, except for successful health
 * checks. That of a request which was refused with 503 is a warning with the reason. No line has a query, a body or a header
 * that may contain a secret.
 */
export function logRequest(
  logger: Logger,
  request: Request,
  { status, durationMs, aborted }: { status: number; durationMs: number; aborted: boolean },
): void {
  const { id, fullPath, route, refusal } = request.context;
  const level = refusal ? 'warn' : 'info';
  if (!logger.isLevelEnabled(level)) return;
  const { author } = request.user;
  if (route?.name.startsWith('health-') && status === 200) return;
  // pino leaves out what is undefined.
  const entry = {
    request_id: id,
    trace_id: traceOf(request.headers['traceparent']),
    client: clientOf(request.ip),
    account: author.kind === 'account' ? author.name : undefined,
    token: tokenOf(request.user),
    method: request.method,
    path: fullPath,
    route: route?.path ?? NO_ROUTE,
    status,
    duration_ms: Math.round(durationMs * 1_000) / 1_000,
    aborted: aborted || undefined,
    ...refusal,
  };
  logger[level](entry, 'request');
}

function traceOf(traceParent: string | string[] | undefined): string | undefined {
  return typeof traceParent === 'string' ? TRACE_PARENT.exec(traceParent)?.[1] : undefined;
}

function tokenOf({ author, id }: Request['user']): string | undefined {
  if (author.kind === 'token') return author.name;
  return author.kind === 'api' && id !== undefined ? 'API_TOKENS' : undefined;
}
