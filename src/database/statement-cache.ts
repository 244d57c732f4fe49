/** A prepared statement takes some kilobytes in every connection. */
const MAX_PREPARED = 200;

/** The statements that a connection has prepared: those that were used last, by their texts. */
export class StatementCache<Prepared> {
  readonly #statements = new Map<string, Prepared>();

  /** @param onEvict called with a statement that was not used for the longest time */
  constructor(
    private readonly prepare: (text: string) => Prepared,
    private readonly onEvict: (prepared: Prepared) => void,
  ) {}

  get(text: string): Prepared {
    const known = this.#statements.get(text);
    const prepared = known ?? this.prepare(text);
    // The order of a Map is that of its insertions.
    if (known !== undefined) this.#statements.delete(text);
    this.#statements.set(text, prepared);
    if (this.#statements.size > MAX_PREPARED) {
      const [oldest] = this.#statements;
      this.#statements.delete(oldest![0]);
      this.onEvict(oldest![1]);
    }
    return prepared;
  }

  delete(text: string): void {
    this.#statements.delete(text);
  }

  /** Forgets and returns all statements. */
  takeAll(): Prepared[] {
    const all = [...this.#statements.values()];
    this.#statements.clear();
    return all;
  }
}
