/** The values of a statement by their names. */
export type SqlValues = Readonly<Record<string, string | number | null>>;

/** A statement as the drivers take it. */
export interface BoundSql {
  readonly text: string;
  readonly parameters: readonly unknown[];
}

/** Part of a statement: another part, or the name of a value. A text is not: it could come from a client. */
type Insert = Sql | `:${string}`;

/**
 * A statement with named values, or a part of one. Write it with {@link sql}.
 *
 * @template Row what each of its rows has: declared beside the text, and nowhere else
 */
export class Sql<Row = unknown> {
  /** Only the compiler knows it. */
  declare protected readonly row: Row;
  #text: string | undefined;
  #order: readonly string[] = [];
  readonly isRead: boolean;

  /**
   * @param texts around the values
   * @param names of the values; there is one text more
   * @param values of a statement that runs only once, in the order of its placeholders
   */
  private constructor(
    private readonly texts: readonly string[],
    private readonly names: readonly string[],
    readonly values?: readonly unknown[],
  ) {
    this.isRead = isRead(texts);
  }

  static from<Row>(texts: readonly string[], inserts: readonly Insert[]): Sql<Row> {
    const all = [texts[0]!];
    const names: string[] = [];
    for (const [index, insert] of inserts.entries()) {
      if (insert instanceof Sql) {
        all.push(all.pop()! + insert.texts[0]!, ...insert.texts.slice(1));
        names.push(...insert.names);
      } else {
        all.push('');
        names.push(insert.slice(1));
      }
      all.push(all.pop()! + texts[index + 1]!);
    }
    return new Sql(all, names);
  }

  /** A statement that runs only once, such as one that TypeORM has just written. */
  static once<Row>(text: string, values: readonly unknown[] = []): Sql<Row> {
    return new Sql([text], [], values);
  }

  /**
   * The text with `$1`, `$2` in place of the values, the form of PostgreSQL. SQLite treats them as names, and numbers
   * names in the order of their first occurrence, which gives the same order.
   */
  get text(): string {
    return (this.#text ??= this.#write());
  }

  /** The text, and the values in the order of its placeholders. @throws Error when one is missing */
  bind(values: SqlValues = {}): BoundSql {
    const text = (this.#text ??= this.#write());
    if (this.values) return { text, parameters: this.values };
    const parameters: unknown[] = [];
    for (const name of this.#order) {
      const value = values[name];
      if (value === undefined) throw new Error(`The statement has no value for :${name}: ${text}`);
      parameters.push(value);
    }
    return { text, parameters };
  }

  #write(): string {
    const order: string[] = [];
    let text = this.texts[0]!;
    for (const [index, name] of this.names.entries()) {
      if (!order.includes(name)) order.push(name);
      text += `$${order.indexOf(name) + 1}${this.texts[index + 1]!}`;
    }
    this.#order = order;
    return text;
  }
}

/** Statements that only read, but for those with {@link CHANGE} in them. */
const READ = /^[\s(]*(?:SELECT|VALUES|WITH|EXPLAIN)\b/i;
const SELECT = /^[\s(]*SELECT\b/i;
/** PostgreSQL changes rows in a WITH, and by EXPLAIN ANALYZE. */
const CHANGE = /\b(?:INSERT|UPDATE|DELETE|MERGE)\b/i;
const QUOTED = /'[^']*'|"[^"]*"/g;

/** Whether the statement changes nothing. In doubt, it does. @param texts around its values */
function isRead(texts: readonly string[]): boolean {
  if (!READ.test(texts[0]!)) return false;
  return SELECT.test(texts[0]!) || !CHANGE.test(texts.join('').replaceAll(QUOTED, ''));
}

/** A statement, or a part of one: ``sql<Pick<Post, 'title'>>`SELECT title FROM posts WHERE id = ${':id'}` ``. */
export function sql<Row = unknown>(texts: TemplateStringsArray, ...inserts: readonly Insert[]): Sql<Row> {
  return Sql.from(texts, inserts);
}

/** A part of a statement from a text of this program, such as the name of a column. Never pass text of a client. */
sql.raw = function raw(text: string): Sql {
  return Sql.from([text], []);
};

/** The parts one after another. */
sql.joined = function joined(parts: readonly Sql[], separator: ', ' | ' AND '): Sql {
  const between = parts.slice(1).map(() => separator);
  return parts.length === 0 ? sql.raw('') : Sql.from(['', ...between, ''], parts);
};
