/** More shapes of query than are in use at a time; each takes some kilobytes in every connection. */
const MAX_PREPARED_STATEMENTS = 200;

/**
 * Names for the texts of queries: PostgreSQL parses a query with a name once a connection. The first texts get one, which
 * are those that are run most.
 */
export class StatementNames {
  readonly #names = new Map<string, string>();

  /** @returns undefined where there are too many */
  of(text: string): string | undefined {
    let name = this.#names.get(text);
    if (name === undefined) {
      if (this.#names.size >= MAX_PREPARED_STATEMENTS) return undefined;
      name = `posts_${this.#names.size}`;
      this.#names.set(text, name);
    }
    return name;
  }
}
