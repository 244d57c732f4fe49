import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Database, type Work } from '../database/database.js';
import { InFlightRequests } from '../http/request/in-flight-requests.js';
import type { ImportBody } from '../posts/post-imports.js';
import { ImportTooLong, ServiceStopping } from '../problem-details/problems.js';

/** Runs the transactions of imports, and ends them when their time is over. */
@Injectable()
export class ImportEngine implements OnModuleDestroy {
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<unknown>>();
  /** The service is stopping. */
  readonly #stop: AbortSignal;

  constructor(
    private readonly database: Database,
    inFlightRequests: InFlightRequests,
  ) {
    this.#stop = AbortSignal.any([inFlightRequests.stopDeadline, this.#closing.signal]);
  }

  /** An import may still be running after its client has disconnected. It must end before the database closes. */
  async onModuleDestroy(): Promise<void> {
    this.#closing.abort(new ServiceStopping());
    await Promise.allSettled(this.#running);
  }

  /**
   * Runs the work in one transaction.
   *
   * @param work calls `goOn` before each of its statements, which throws when the import must end
   * @throws ImportTooLong when other writes have waited too long for it
   * @throws ServiceStopping, ClientGone, DatabaseFault, and what the work throws; nothing is stored
   */
  run<Result>(
    { clientGone }: ImportBody,
    work: (...parameters: [...Parameters<Work<Result>>, goOn: () => void]) => Promise<Result>,
  ): Promise<Result> {
    const running = this.database.writeAtLength((transaction) => {
      const endsAt = performance.now() + this.database.maxWriteMs;
      return work(transaction, () => {
        this.#stop.throwIfAborted();
        clientGone?.throwIfAborted();
        if (performance.now() > endsAt) throw new ImportTooLong(this.database.maxWriteMs);
      });
    });
    this.#running.add(running);
    return running.finally(() => this.#running.delete(running));
  }
}
