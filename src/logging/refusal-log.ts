import type { Request, Response } from 'express';
import { type Logger, stdSerializers } from 'pino';
import { WRITES } from '../http/request/route-table.js';

/** The least time between two lines of one kind. */
const INTERVAL_MS = 1_000;

/** The refusals of a kind since the first one; times are of `performance.now()`. */
interface Refusals {
  readonly isWrite: boolean;
  readonly since: number;
  loggedAt: number;
  total: number;
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
    const first = { isWrite: WRITES.has(method), since: now, loggedAt: -Infinity, total: 0 };
    const kind = this.#kinds.get(detail) ?? first;
    this.#kinds.set(detail, kind);
    kind.total += 1;
    if (now - kind.loggedAt < INTERVAL_MS) return;
    kind.loggedAt = now;
    // The messages of the error and its causes, without their stacks.
    const reason = cause instanceof Error ? stdSerializers.err(cause).message : undefined;
    this.logger.warn({ request_id: context.id, refused: kind.total, cause: reason }, detail);
  }

  /** Notices requests that succeed after refusals. */
  readonly observe = ({ context, method }: Request, { statusCode }: Response): void => {
    if (this.#kinds.size === 0 || statusCode >= 400 || context.route?.isOperational) return;
    const now = performance.now();
    for (const [reason, { isWrite, since, loggedAt, total }] of this.#kinds) {
      if (isWrite !== WRITES.has(method) || now - loggedAt < INTERVAL_MS) continue;
      this.#kinds.delete(reason);
      const seconds = Math.round((now - since) / 1_000);
      const what = isWrite ? 'writes' : 'reads';
      this.logger.info({ refused: total, seconds, reason }, `Available again: ${what}.`);
    }
  };
}
