import type { Request, Response } from 'express';

/** Is told of every request once it is answered, or its client has gone. */
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
