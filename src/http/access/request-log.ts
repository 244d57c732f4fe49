import type { Request } from 'express';
import type { Logger } from 'pino';
import { NO_ROUTE } from '../routes/route-table.js';

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
  const { client, logFields, fullPath, route, refusal } = request.context;
  const level = refusal ? 'warn' : 'info';
  if (!logger.isLevelEnabled(level)) return;
  const { author } = request.user;
  if (route?.name.startsWith('health-') && status === 200) return;
  // pino leaves out what is undefined.
  const entry = {
    ...logFields,
    client: client.address,
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

function tokenOf({ author, id }: Request['user']): string | undefined {
  if (author.kind === 'token') return author.name;
  return author.kind === 'api' && id !== undefined ? 'API_TOKENS' : undefined;
}
