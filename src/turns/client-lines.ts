/** Work that waits: a line for each client. The clients take turns. */
export class ClientLines {
  /** The first client is the next one. */
  readonly #lines = new Map<string, (() => void)[]>();

  get isEmpty(): boolean {
    return this.#lines.size === 0;
  }

  /** How many wait in all lines. */
  get length(): number {
    let length = 0;
    for (const line of this.#lines.values()) length += line.length;
    return length;
  }

  has(client: string): boolean {
    return this.#lines.has(client);
  }

  /** Resolves when it is taken out of its line. */
  wait(client: string): Promise<void> {
    return new Promise((resolve) => {
      const line = this.#lines.get(client);
      if (line) line.push(resolve);
      else this.#lines.set(client, [resolve]);
    });
  }

  /** Lets the first one of the next client go on, if any waits. */
  takeNext(): void {
    for (const [client, line] of this.#lines) {
      const goOn = line.shift()!;
      // At the end of the clients.
      this.#lines.delete(client);
      if (line.length > 0) this.#lines.set(client, line);
      goOn();
      return;
    }
  }
}
