import type { ObjectLiteral, QueryBuilder } from 'typeorm';

export type QueryValues = Readonly<Record<string, string | number | null>>;

/** A parameter that is not replaced yet. `::` is a type cast in PostgreSQL. */
const PARAMETER = /(?<![:\w]):([A-Za-z_]\w*)/g;
const TEXT_LITERALS = /'[^']*'/g;

/**
 * A query that TypeORM's query builder wrote once, to be run many times: its SQL text, and the names of its parameters
 * in the order of the placeholders.
 *
 * TypeORM takes longer to build a query than the database to run it, so the hot paths only bind values.
 */
export class CompiledQuery {
  readonly isRead: boolean;
  readonly #made: Error | undefined;

  /** @param parameters the names of the values, or the values themselves for a query that runs only once */
  private constructor(
    readonly sql: string,
    private readonly parameters: readonly unknown[],
    readonly isRunOnce = false,
  ) {
    this.isRead = /^\s*SELECT\b/i.test(sql);
    if (!isRunOnce) this.#made = new Error('made');
  }

  /**
   * @param parameters the names of all the `:parameters` that the query uses
   * @param suffix text after the builder's SQL, such as RETURNING; it may use parameters too
   * @throws Error when the query uses another parameter, or does not use one of these
   */
  static from<Entity extends ObjectLiteral>(
    builder: QueryBuilder<Entity>,
    parameters: readonly string[],
    suffix = '',
  ): CompiledQuery {
    // Each parameter's value is its own name, so that the builder's list of values is the list of names.
    builder.setParameters(Object.fromEntries(parameters.map((name) => [name, name])));
    const [sql, names] = builder.getQueryAndParameters() as [string, string[]];
    // The builder leaves a parameter without a value in the text.
    const [missing] = sql.replaceAll(TEXT_LITERALS, '').match(PARAMETER) ?? [];
    if (missing !== undefined) throw new Error(`The query has no parameter ${missing}: ${sql}`);
    const rest = CompiledQuery.#number(suffix, names.length);
    const used = [...names, ...rest.names];
    const unused = parameters.find((name) => !used.includes(name));
    if (unused !== undefined) throw new Error(`The query does not use its parameter :${unused}: ${sql}`);
    return new CompiledQuery(sql + rest.sql, used);
  }

  /** A query from SQL text, for what the query builder cannot express; `:name` is a parameter. */
  static fromText(text: string): CompiledQuery {
    const { sql, names } = CompiledQuery.#number(text, 0);
    return new CompiledQuery(sql, names);
  }

  /** A query that TypeORM has just written and wants to run, with its values. */
  static once(sql: string, values: readonly unknown[]): CompiledQuery {
    return new CompiledQuery(sql, values, true);
  }

  /**
   * Writes parameters as `$1`, `$2`, the form of PostgreSQL. SQLite treats them as names and numbers names in the order
   * of their first occurrence, which gives the same order.
   */
  static #number(text: string, taken: number): { sql: string; names: string[] } {
    const names: string[] = [];
    const sql = text.replaceAll(PARAMETER, (_, name: string) => {
      if (!names.includes(name)) names.push(name);
      return `$${taken + names.indexOf(name) + 1}`;
    });
    return { sql, names };
  }

  /** The stack of the code that made the query; undefined for a query that runs only once. */
  get madeAt(): string | undefined {
    return this.#made?.stack?.replace('Error: made\n', '');
  }

  /** @throws Error when a value is missing */
  bind(values: QueryValues = {}): unknown[] {
    if (this.isRunOnce) return [...this.parameters];
    return (this.parameters as readonly string[]).map((name) => {
      const value = values[name];
      if (value === undefined) throw new Error(`The query has no value for :${name}: ${this.sql}`);
      return value;
    });
  }
}
