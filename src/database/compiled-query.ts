import type { ObjectLiteral, QueryBuilder } from 'typeorm';

export type QueryValues = Readonly<Record<string, string | number | null>>;

/** A text literal, or a parameter. `::` is a type cast in PostgreSQL. */
const LITERAL_OR_PARAMETER = /'[^']*'|(?<![:\w]):([A-Za-z_]\w*)/g;

/** A prepared statement takes some kilobytes in every connection. */
const MAX_PREPARED = 200;

/**
 * A query that is compiled once, to be run many times: its SQL text, and the names of its parameters in the order of the
 * placeholders.
 *
 * TypeORM takes longer to build a query than the database to run it, so the hot paths only bind values.
 */
export class CompiledQuery {
  /** The names of prepared statements by their texts. */
  static readonly #names = new Map<string, string>();

  readonly isRead: boolean;
  /** The name of the prepared statement. Later queries than the first 200, which run most, are not kept prepared. */
  readonly name: string | undefined;
  readonly #made: Error | undefined;

  /** @param values for a query that runs only once: its values, in the order of the placeholders */
  private constructor(
    readonly sql: string,
    private readonly parameters: readonly string[],
    private readonly values?: readonly unknown[],
  ) {
    this.isRead = /^\s*SELECT\b/i.test(sql);
    if (values) return;
    this.#made = new Error('made');
    const names = CompiledQuery.#names;
    if (!names.has(sql) && names.size < MAX_PREPARED) names.set(sql, `posts_${names.size}`);
    this.name = names.get(sql);
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
    const query = CompiledQuery.fromText(builder.getQuery() + suffix);
    const missing = query.parameters.find((name) => !parameters.includes(name));
    if (missing !== undefined) throw new Error(`The query has no parameter :${missing}: ${query.sql}`);
    const unused = parameters.find((name) => !query.parameters.includes(name));
    if (unused !== undefined)
      throw new Error(`The query does not use its parameter :${unused}: ${query.sql}`);
    return query;
  }

  /**
   * A query from SQL text, for what the query builder cannot express; `:name` is a parameter. It becomes `$1`, `$2`, the
   * form of PostgreSQL. SQLite treats them as names and numbers names in the order of their first occurrence, which gives
   * the same order.
   */
  static fromText(text: string): CompiledQuery {
    const names: string[] = [];
    const sql = text.replaceAll(LITERAL_OR_PARAMETER, (found, name: string | undefined) => {
      if (name === undefined) return found;
      if (!names.includes(name)) names.push(name);
      return `$${names.indexOf(name) + 1}`;
    });
    return new CompiledQuery(sql, names);
  }

  /** A query that runs only once, such as one that TypeORM has just written. */
  static once(sql: string, values: readonly unknown[] = []): CompiledQuery {
    return new CompiledQuery(sql, [], values);
  }

  /** The stack of the code that made the query; undefined for a query that runs only once. */
  get madeAt(): string | undefined {
    return this.#made?.stack?.replace('Error: made\n', '');
  }

  /** @throws Error when a value is missing */
  bind(values: QueryValues = {}): unknown[] {
    if (this.values) return [...this.values];
    const bound: unknown[] = [];
    for (const name of this.parameters) {
      const value = values[name];
      if (value === undefined) throw new Error(`The query has no value for :${name}: ${this.sql}`);
      bound.push(value);
    }
    return bound;
  }
}
