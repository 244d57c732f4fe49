const TERMINAL_INTERVAL_MS = 100;
/** Logs should get few lines. */
const PLAIN_INTERVAL_MS = 5_000;
const CLEAR_LINE = '\r\u001b[K';

/** Shows progress on standard error: in one line of a terminal, otherwise in a line from time to time. */
export class Progress {
  readonly #isTerminal = process.stderr.isTTY;
  #shownAt = performance.now();

  /** @param fraction from 0 to 1; missing when the total is unknown */
  show(label: string, fraction?: number): void {
    const now = performance.now();
    if (now - this.#shownAt < (this.#isTerminal ? TERMINAL_INTERVAL_MS : PLAIN_INTERVAL_MS)) return;
    this.#shownAt = now;
    const line = fraction === undefined ? `${label} …` : `${label}: ${Math.floor(fraction * 100)} %`;
    process.stderr.write(this.#isTerminal ? CLEAR_LINE + line : `${line}\n`);
  }

  /** Removes the line from the terminal. */
  end(): void {
    if (this.#isTerminal) process.stderr.write(CLEAR_LINE);
  }
}
