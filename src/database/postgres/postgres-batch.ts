// oxlint-disable no-underscore-dangle -- these are pg’s names
import type { Connection, Query, QueryResult, Submittable } from 'pg';

type Callback = (error: Error | null, result?: QueryResult) => void;

/** Members of pg's query that its types do not declare. pg calls the handlers in the order of the server's messages. */
export interface BatchedQuery extends Query {
  readonly text: string;
  readonly name: string | undefined;
  callback: Callback;
  readonly _result: { _types: unknown };
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
  handleReadyForQuery(connection: Connection): void;
}

/** A member of pg's connection that its types do not declare. */
interface SubmittedStatements {
  /** The texts that were sent under a name, and that the server has not confirmed yet. */
  readonly submittedNamedStatements: Record<string, string>;
}

/**
 * Queries that are sent together, with one Sync message after the last one. After a fault the server skips everything
 * up to the Sync (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING), so that no query
 * runs after one that has failed. All of them fail then.
 */
export class PostgresBatch implements Submittable {
  #completed = 0;
  /** pg puts the parsers of the column types here. */
  readonly _result: { _types: unknown } = { _types: undefined };
  /** pg replaces it by one that also ends the timer of `query_timeout`. */
  callback: Callback;

  constructor(
    private readonly queries: readonly BatchedQuery[],
    readonly query_timeout: number,
  ) {
    this.callback = (error) => {
      if (error) for (const query of queries) query.callback(error);
    };
  }

  /** pg notes under this name that the server has parsed this text. */
  get name(): string | undefined {
    return this.queries[this.#completed]?.name;
  }

  get text(): string | undefined {
    return this.queries[this.#completed]?.text;
  }

  submit(connection: Connection): void {
    const unsynced = Object.assign(Object.create(connection) as Connection, { sync: () => undefined });
    connection.stream.cork();
    try {
      for (const query of this.queries) {
        query._result._types = this._result._types;
        query.submit(unsynced);
      }
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
  }

  handleRowDescription(message: unknown): void {
    this.queries[this.#completed]!.handleRowDescription(message);
  }

  handleDataRow(message: unknown): void {
    this.queries[this.#completed]!.handleDataRow(message);
  }

  handleCommandComplete(message: unknown, connection: Connection): void {
    this.queries[this.#completed]!.handleCommandComplete(message, connection);
    this.#completed += 1;
  }

  handleReadyForQuery(connection: Connection): void {
    this.callback(null);
    for (const query of this.queries) query.handleReadyForQuery(connection);
  }

  handleError(error: Error, connection: Connection & SubmittedStatements): void {
    // pg would not send again the text of a statement that the server has skipped.
    for (const { name } of this.queries) if (name) delete connection.submittedNamedStatements[name];
    this.callback(error);
  }
}
