import type { ObjectLiteral, QueryBuilder } from 'typeorm';

/** The values of a query's named parameters. */
export type QueryValues = Readonly<Record<string, string | number | null>>;

/**
 * A query that TypeORM's query builder wrote once, to be run many times: its SQL text, and its parameters' names in the
 * order in which the text wants their values.
 *
 * Building a query costs TypeORM more than a database needs to answer it, so the hot paths only bind.
 */
export class CompiledQuery {
  /** Whether it changes nothing. */
  readonly isRead: boolean;

  /** @param parameters the names of the values, or the values themselves of a query that is run only once */
  private constructor(
    readonly sql: string,
    private readonly parameters: readonly unknown[],
    readonly isRunOnce = false,
  ) {
    this.isRead = /^\s*SELECT\b/i.test(sql);
  }

  /**
   * @param parameters the names of all the `:parameters` that the query uses
   * @param suffix what follows the builder's words, such as RETURNING; it may use parameters too
   */
  static from<Entity extends ObjectLiteral>(
    builder: QueryBuilder<Entity>,
    parameters: readonly string[],
    suffix = '',
  ): CompiledQuery {
    // Every parameter has its own name as its value, so that the list of values comes back as the list of names.
    builder.setParameters(Object.fromEntries(parameters.map((name) => [name, name])));
    const [sql, names] = builder.getQueryAndParameters() as [string, string[]];
    const rest = CompiledQuery.#number(suffix, names.length);
    return new CompiledQuery(sql + rest.sql, [...names, ...rest.names]);
  }

  /** A query in our own words, for what the query builder cannot say; `:name` is a parameter. */
  static fromText(text: string): CompiledQuery {
    const { sql, names } = CompiledQuery.#number(text, 0);
    return new CompiledQuery(sql, names);
  }

  /** A query that TypeORM has just written and wants to run, with its values. */
  static once(sql: string, values: readonly unknown[]): CompiledQuery {
    return new CompiledQuery(sql, values, true);
  }

  /**
   * Writes parameters as `$1`, `$2`, as PostgreSQL wants them. SQLite takes that for names, and numbers names in the order
   * of their first appearance, which is the same.
   */
  static #number(text: string, taken: number): { sql: string; names: string[] } {
    const names: string[] = [];
    // Two colons are a type cast of PostgreSQL's.
    const sql = text.replaceAll(/(?<!:):(\w+)/g, (_, name: string) => {
      if (!names.includes(name)) names.push(name);
      return `$${taken + names.indexOf(name) + 1}`;
    });
    return { sql, names };
  }

  bind(values: QueryValues): unknown[] {
    if (this.isRunOnce) return [...this.parameters];
    return (this.parameters as readonly string[]).map((name) => {
      const value = values[name];
      if (value === undefined) throw new Error(`The query has no value for :${name}`);
      return value;
    });
  }
}
