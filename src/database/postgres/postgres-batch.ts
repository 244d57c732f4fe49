import pg, { type ClientBase, type Connection, type FieldDef, type QueryResult, type Submittable } from 'pg';
import { StatementCache } from '../statement-cache.js';

/** pg's own result, which reads rows from their text form. Its types do not declare it. */
export interface Result extends QueryResult<Record<string, unknown>> {
  addFields(fields: FieldDef[]): void;
  addCommandComplete(message: object): void;
  parseRow(texts: readonly (string | null)[]): Record<string, unknown>;
}
export const { Result } = pg as unknown as { Result: new (rowMode: undefined, types: ClientBase) => Result };

/** pg's types do not declare these two members of its connection either. */
interface PreparingConnection extends Connection {
  /** The texts by name that the server has parsed. */
  readonly parsedStatements: Record<string, string>;
  /** The texts by name that were sent, and that the server has not confirmed yet. */
  readonly submittedNamedStatements: Record<string, string>;
  /** Closes a prepared statement. */
  close(message: { type: 'S'; name: string }): void;
}

/** A statement that the server keeps prepared for a connection. */
interface Prepared {
  readonly name: string;
  /**
   * The fields of its rows, so that the server describes it once: to describe it at every execution took 23 of the 190 µs
   * of a lone read.
   */
  fields?: FieldDef[];
}

const PREPARED = new WeakMap<Connection, StatementCache<Prepared>>();

function preparedOn(connection: PreparingConnection): StatementCache<Prepared> {
  let cache = PREPARED.get(connection);
  if (cache) return cache;
  let count = 0;
  cache = new StatementCache<Prepared>(
    () => ({ name: `posts_${count++}` }),
    ({ name }) => {
      connection.close({ type: 'S', name });
      delete connection.parsedStatements[name];
    },
  );
  PREPARED.set(connection, cache);
  return cache;
}

/** A statement of a {@link PostgresBatch}. */
export interface PostgresStatement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Otherwise the server parses the text each time. */
  readonly isPrepared: boolean;
  readonly result: Result;
  readonly settle: (error: Error | null) => void;
}

/**
 * Statements that are sent together, with one Sync message after the last one. After a fault the server skips everything
 * up to the Sync (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING), so that no
 * statement runs after one that has failed. All of them fail then.
 */
export class PostgresBatch implements Submittable {
  #completed = 0;
  /** For each statement, what the server keeps of it. */
  #prepared: readonly (Prepared | undefined)[] = [];
  /** pg replaces it by one that also ends the timer of `query_timeout`. */
  callback = (error: Error | null): void => {
    for (const { settle } of this.statements) settle(error);
  };

  constructor(
    private readonly statements: readonly PostgresStatement[],
    readonly query_timeout: number,
  ) {}

  /** pg notes under this name that the server has parsed this text. */
  get name(): string | undefined {
    return this.#prepared[this.#completed]?.name;
  }

  get text(): string | undefined {
    return this.statements[this.#completed]?.text;
  }

  submit(connection: Connection): void {
    connection.stream.cork();
    try {
      const preparing = connection as PreparingConnection;
      // Before the statements: after a fault of one, the server would skip the closing of evicted ones.
      const cache = preparedOn(preparing);
      this.#prepared = this.statements.map(({ isPrepared, text }) =>
        isPrepared ? cache.get(text) : undefined,
      );
      for (const [index, statement] of this.statements.entries())
        this.#send(statement, this.#prepared[index], preparing);
      connection.sync();
    } catch (error) {
      // Without the Sync, nothing of the batch is committed.
      connection.stream.destroy(error as Error);
    } finally {
      connection.stream.uncork();
    }
  }

  #send(
    { text, values, result }: PostgresStatement,
    { name, fields }: Prepared = { name: '' },
    connection: PreparingConnection,
  ): void {
    const { parsedStatements, submittedNamedStatements } = connection;
    if (name === '' || (parsedStatements[name] ?? submittedNamedStatements[name]) === undefined) {
      connection.parse({ name, text, types: [] }, true);
      if (name !== '') submittedNamedStatements[name] = text;
    }
    connection.bind({ statement: name, values: values as string[], valueMapper: toText }, true);
    if (fields) result.addFields(fields);
    else connection.describe({ type: 'P' }, true);
    connection.execute({}, true);
  }

  handleRowDescription({ fields }: { fields: FieldDef[] }): void {
    this.statements[this.#completed]!.result.addFields(fields);
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const result = this.statements[this.#completed]!.result;
    result.rows.push(result.parseRow(fields));
  }

  handleCommandComplete(message: object): void {
    const result = this.statements[this.#completed]!.result;
    result.addCommandComplete(message);
    const prepared = this.#prepared[this.#completed];
    if (prepared) prepared.fields = result.fields;
    this.#completed += 1;
  }

  handleReadyForQuery(): void {
    this.callback(null);
  }

  handleError(error: Error, connection: PreparingConnection): void {
    // pg would not send again the text of a statement that the server has skipped.
    for (const prepared of this.#prepared)
      if (prepared) delete connection.submittedNamedStatements[prepared.name];
    this.callback(error);
  }
}

function toText(value: string | number | null | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}
