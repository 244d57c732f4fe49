import type { DataSource, EntityManager, QueryResult } from 'typeorm';
import type { CompiledQuery, QueryValues } from './compiled-query.js';
import { writingManager } from './entity-manager.js';
import type { Outcome, Transaction, Work, WriteBatch, WriterConnection } from './transaction.js';

/** The open transaction of a connection, for one unit of work. */
export class OpenTransaction implements Transaction, WriterConnection {
  readonly isPipelined: boolean;
  /** Whether it has run a statement that is not a read. */
  hasChanged = false;
  #isOpen = true;
  readonly #faults: unknown[] = [];
  /** Resolves when the last statement has ended. */
  #last: Promise<void> = Promise.resolve();
  #manager: EntityManager | undefined;

  constructor(
    private readonly connection: WriterConnection,
    private readonly dataSource: DataSource,
  ) {
    this.isPipelined = connection.isPipelined;
  }

  get hasFailed(): boolean {
    return this.#faults.length > 0;
  }

  /** Created on first use: the hot paths do not need it. */
  get manager(): EntityManager {
    return (this.#manager ??= writingManager(this.dataSource, this));
  }

  all<Row>(query: CompiledQuery, values?: QueryValues): Promise<Row[]> {
    return this.#next(query, () => this.connection.all<Row>(query, values));
  }

  send(query: CompiledQuery, values?: QueryValues): void {
    void this.all(query, values);
  }

  run(statement: CompiledQuery): Promise<QueryResult> {
    return this.#next(statement, () => this.connection.run(statement));
  }

  /**
   * Runs the work and all statements that it has not awaited, except those that go to the server with the COMMIT.
   * Statements after its end are rejected: they would join the transaction of another caller.
   *
   * @throws the fault of a statement, even when the work has caught it: the transaction may be void (SQLITE_FULL, any
   *   fault of PostgreSQL), and later statements may be lost or have run outside of it
   */
  async complete<Result>(work: Work<Result>): Promise<Result> {
    try {
      const result = await work(this);
      await this.#settled();
      return result;
    } catch (error) {
      // The first fault is the cause of the others.
      await this.#settled();
      throw error;
    } finally {
      this.#isOpen = false;
    }
  }

  async #settled(): Promise<void> {
    if (!this.isPipelined) await this.#last;
    if (this.#faults.length > 0) throw this.#faults[0];
  }

  #next<Result>(query: CompiledQuery, start: () => Promise<Result>): Promise<Result> {
    if (!this.#isOpen) throw new Error('The transaction is over.');
    if (this.#faults.length > 0) throw this.#faults[0];
    this.hasChanged ||= !query.isRead;
    const result: Promise<Result> = this.#run(start, () => {
      // The promise may have no other handler. (A handler before the fault would hide the callers from the stack of the fault: V8
      // follows a promise only to its single handler.)
      result.catch(() => undefined);
    });
    return result;
  }

  async #run<Result>(start: () => Promise<Result>, onFault: () => void): Promise<Result> {
    let end: (() => void) | undefined;
    try {
      if (!this.isPipelined) {
        const previous = this.#last;
        this.#last = new Promise((resolve) => (end = resolve));
        await previous;
        if (this.#faults.length > 0) throw this.#faults[0];
      }
      return await start();
    } catch (fault) {
      this.#faults.push(fault);
      onFault();
      throw fault;
    } finally {
      end?.();
    }
  }
}

/** The work that runs a batch. Its results are rejected only if its transaction is, which reports the fault. */
export function workOf<Item, Result>(
  batch: WriteBatch<Item, Result>,
  items: readonly Item[],
): Work<readonly (Outcome<Result> | undefined)[]> {
  return async (transaction) => {
    const outcomes = await batch.run(transaction, items);
    for (const outcome of outcomes) {
      if (outcome && 'result' in outcome && outcome.result instanceof Promise)
        outcome.result.catch(() => undefined);
    }
    return outcomes;
  };
}
