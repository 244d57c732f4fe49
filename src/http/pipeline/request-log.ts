import type { Request, Response } from 'express';
import type { Logger } from 'pino';

/** Is called for every request once its response is complete, or its client has gone. */
export type CompletionObserver = (request: Request, response: Response, durationMs: number) => void;

/**
 * One listener a request for all observers, on the hot path of everything.
 *
 * @param onFault is told what an observer throws, which must not end the process
 */
export function observeCompletion(
  observers: readonly CompletionObserver[],
  onFault: (error: unknown, request: Request) => void,
): (request: Request, response: Response) => void {
  if (observers.length === 0) return () => {};
  return (request, response) => {
    const startedAt = performance.now();
    // Once, as 'close' is emitted, and cheaper than by `once`.
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

/** `00-<trace id>-<parent id>-<flags>`; a later version may have more behind it (W3C Trace Context §3.2). */
const TRACEPARENT = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-[\da-f]{2}(-.*)?$/;

/** The trace that a request belongs to, as it stands in the log. */
export interface TraceFields {
  readonly trace_id: string;
  /** The span of the caller. */
  readonly parent_span_id: string;
}

/** Reads a `traceparent` field (https://www.w3.org/TR/trace-context/); a malformed one says nothing. */
export function traceFields(traceparent: string | string[] | undefined): TraceFields | undefined {
  if (typeof traceparent !== 'string') return undefined;
  const [, version, traceId, parentId, rest] = TRACEPARENT.exec(traceparent) ?? [];
  if (traceId === undefined || parentId === undefined) return undefined;
  return version === '00' && rest !== undefined ? undefined : { trace_id: traceId, parent_span_id: parentId };
}
