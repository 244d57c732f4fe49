import type { ClientBase, Connection, Submittable } from 'pg';

/** pg's types declare neither these messages of the server nor the two members of its connection. */
interface RowDescription {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
}

interface DataRow {
  readonly fields: readonly (string | null)[];
}

interface CommandComplete {
  readonly text: string;
}

interface PreparingConnection extends Connection {
  /** The texts by name that the server has parsed. */
  readonly parsedStatements: Record<string, string>;
  /** The texts by name that were sent, and that the server has not confirmed yet. */
  readonly submittedNamedStatements: Record<string, string>;
}

/** Reads the rows of a statement from their text form. */
class RowReader {
  readonly #columns: readonly { readonly name: string; readonly parse: (text: string) => unknown }[];
  /** A copy of an object with all columns is faster than an object that gets them one by one. */
  readonly #empty: Record<string, unknown> = {};

  constructor({ fields }: RowDescription, client: ClientBase) {
    this.#columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: client.getTypeParser(dataTypeID, 'text'),
    }));
    for (const { name } of this.#columns) this.#empty[name] = null;
  }

  read({ fields }: DataRow): Record<string, unknown> {
    const row = { ...this.#empty };
    fields.forEach((text, index) => {
      const { name, parse } = this.#columns[index]!;
      if (text !== null) row[name] = parse(text);
    });
    return row;
  }
}

/** Readers by the name of the prepared statement; undefined for a statement without rows. */
type RowReaders = Map<string, RowReader | undefined>;

/**
 * The readers of each connection's prepared statements, so that the server describes a statement once: to describe it at
 * every execution took 23 of the 190 µs of a lone read.
 */
const READERS = new WeakMap<ClientBase, RowReaders>();

/** A statement of a {@link PostgresBatch}, and its result. */
export class PostgresStatement {
  readonly rows: Record<string, unknown>[] = [];
  command = '';
  rowCount: number | null = null;
  reader: RowReader | undefined;

  /** @param name of the prepared statement; without a name, the server parses the text each time */
  constructor(
    readonly text: string,
    readonly values: readonly unknown[],
    readonly name: string | undefined,
    readonly settle: (error: Error | null) => void,
  ) {}

  complete({ text }: CommandComplete): void {
    const [, command, count] = /^(\w+).*?(\d+)?$/.exec(text)!;
    this.command = command!;
    if (count !== undefined) this.rowCount = Number(count);
  }
}

/**
 * Statements that are sent together, with one Sync message after the last one. After a fault the server skips everything
 * up to the Sync (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING), so that no
 * statement runs after one that has failed. All of them fail then.
 */
export class PostgresBatch implements Submittable {
  #completed = 0;
  readonly #readers: RowReaders;
  /** pg replaces it by one that also ends the timer of `query_timeout`. */
  callback: (error: Error | null) => void;

  constructor(
    private readonly statements: readonly PostgresStatement[],
    private readonly client: ClientBase,
    readonly query_timeout: number,
  ) {
    this.#readers = READERS.get(client) ?? new Map();
    READERS.set(client, this.#readers);
    this.callback = (error) => {
      for (const { settle } of statements) settle(error);
    };
  }

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

  #send(statement: PostgresStatement, connection: PreparingConnection): void {
    const { name = '', text, values } = statement;
    const { parsedStatements, submittedNamedStatements } = connection;
    if (name === '' || (parsedStatements[name] ?? submittedNamedStatements[name]) === undefined) {
      connection.parse({ name, text, types: [] }, true);
      if (name !== '') submittedNamedStatements[name] = text;
    }
    connection.bind({ statement: name, values: values as string[], valueMapper: toText }, true);
    if (this.#readers.has(name)) statement.reader = this.#readers.get(name);
    else connection.describe({ type: 'P' }, true);
    connection.execute({}, true);
  }

  handleRowDescription(message: RowDescription): void {
    this.statements[this.#completed]!.reader = new RowReader(message, this.client);
  }

  handleDataRow(message: DataRow): void {
    const { reader, rows } = this.statements[this.#completed]!;
    rows.push(reader!.read(message));
  }

  handleCommandComplete(message: CommandComplete): void {
    const statement = this.statements[this.#completed]!;
    statement.complete(message);
    if (statement.name !== undefined) this.#readers.set(statement.name, statement.reader);
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
