import pg, { type ClientBase, type Connection, type FieldDef, type QueryResult, type Submittable } from 'pg';

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
}

/**
 * The fields of the rows of prepared statements, by their names, so that the server describes a statement once: to
 * describe it at every execution took 23 of the 190 µs of a lone read.
 */
const FIELDS = new Map<string, FieldDef[]>();

/** A statement of a {@link PostgresBatch}. */
export interface PostgresStatement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** The name of the prepared statement; without one, the server parses the text each time. */
  readonly name: string | undefined;
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
    return this.statements[this.#completed]?.name;
  }

  get text(): string | undefined {
    return this.statements[this.#completed]?.text;
  }

  submit(connection: Connection): void {
    connection.stream.cork();
    try {
      for (const statement of this.statements) this.#send(statement, connection as PreparingConnection);
      connection.sync();
    } catch (error) {
      // Without the Sync, nothing of the batch is committed.
      connection.stream.destroy(error as Error);
    } finally {
      connection.stream.uncork();
    }
  }

  #send({ name = '', text, values, result }: PostgresStatement, connection: PreparingConnection): void {
    const { parsedStatements, submittedNamedStatements } = connection;
    if (name === '' || (parsedStatements[name] ?? submittedNamedStatements[name]) === undefined) {
      connection.parse({ name, text, types: [] }, true);
      if (name !== '') submittedNamedStatements[name] = text;
    }
    connection.bind({ statement: name, values: values as string[], valueMapper: toText }, true);
    const fields = FIELDS.get(name);
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
    if (this.name !== undefined) FIELDS.set(this.name, result.fields);
    this.#completed += 1;
  }

  handleReadyForQuery(): void {
    this.callback(null);
  }

  handleError(error: Error, connection: PreparingConnection): void {
    // pg would not send again the text of a statement that the server has skipped.
    for (const { name } of this.statements) if (name) delete connection.submittedNamedStatements[name];
    this.callback(error);
  }
}

function toText(value: string | number | null | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}
