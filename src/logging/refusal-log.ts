import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { WRITES } from '../http/pipeline/route-table.js';

/** The least time between two lines of one kind. */
const INTERVAL_MS = 1_000;

interface Refusals {
  readonly isWrite: boolean;
  readonly since: number;
  total: number;
  lastAt: number;
  loggedAt: number;
  unlogged: number;
}

/**
 * Logs refusals that are expected, such as a full disk or too many imports: one line without a stack, at most one a second
 * for each kind, and another one when requests of that kind succeed again.
 */
export class RefusalLog {
  /** By the sentence for the client. */
  readonly #kinds = new Map<string, Refusals>();

  constructor(private readonly logger: Logger) {}

  /** @param detail the sentence for the client @param cause is logged by its message */
  note({ context, method }: Request, detail: string, cause: unknown): void {
    const now = performance.now();
    const isWrite = WRITES.has(method);
    const known = this.#kinds.get(detail);
    const refusals = known ?? {
      isWrite,
      since: now,
      total: 0,
      lastAt: now,
      loggedAt: -Infinity,
      unlogged: 0,
    };
    this.#kinds.set(detail, refusals);
    refusals.total += 1;
    refusals.unlogged += 1;
    refusals.lastAt = now;
    if (now - refusals.loggedAt < INTERVAL_MS) return;
    this.logger.warn({ request_id: context.id, refused: refusals.unlogged, cause: reasonOf(cause) }, detail);
    refusals.loggedAt = now;
    refusals.unlogged = 0;
  }

  /** Notices requests that succeed after refusals. */
  readonly observe = ({ context, method }: Request, { statusCode }: Response): void => {
    if (this.#kinds.size === 0 || statusCode >= 400 || context.route?.isOperational) return;
    const now = performance.now();
    for (const [detail, { isWrite, since, lastAt, total }] of this.#kinds) {
      if (isWrite !== WRITES.has(method) || now - lastAt < INTERVAL_MS) continue;
      this.#kinds.delete(detail);
      const seconds = Math.round((now - since) / 1_000);
      this.logger.info(
        { refused: total, seconds, reason: detail },
        `Available again: ${isWrite ? 'writes' : 'reads'}.`,
      );
    }
  };
}

/** The messages of an error and its causes, without their stacks. */
function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const inner = reasonOf(error.cause);
  return inner === undefined ? error.message : `${error.message}: ${inner}`;
}
