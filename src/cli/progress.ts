const TERMINAL_INTERVAL_MS = 100;
/** Logs should get few lines. */
const PLAIN_INTERVAL_MS = 5_000;
const BAR_LENGTH = 24;
const CLEAR_LINE = '\r\u001b[K';

/** Shows progress on standard error: a bar on a terminal, otherwise a line from time to time. */
export class Progress {
  readonly #isTerminal = process.stderr.isTTY;
  #label = '';
  #fraction: number | undefined;
  #startedAt = 0;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param label a new one starts a new bar
   * @param fraction from 0 to 1; undefined when the total is unknown
   */
  show(label: string, fraction: number | undefined): void {
    if (label !== this.#label) this.#startedAt = performance.now();
    this.#label = label;
    this.#fraction = fraction;
    const interval = this.#isTerminal ? TERMINAL_INTERVAL_MS : PLAIN_INTERVAL_MS;
    this.#timer ??= setInterval(() => this.#write(), interval).unref();
  }

  end(): void {
    clearInterval(this.#timer);
    if (this.#timer && this.#isTerminal) process.stderr.write(CLEAR_LINE);
    this.#timer = undefined;
  }

  #write(): void {
    const elapsedMs = performance.now() - this.#startedAt;
    const line = `${this.#label}: ${this.#state(elapsedMs)}`;
    process.stderr.write(this.#isTerminal ? CLEAR_LINE + line : `${line}\n`);
  }

  #state(elapsedMs: number): string {
    const fraction = this.#fraction;
    if (!fraction) return `${clock(elapsedMs)} so far`;
    const full = Math.round(fraction * BAR_LENGTH);
    const bar = this.#isTerminal ? `[${'#'.repeat(full)}${'-'.repeat(BAR_LENGTH - full)}] ` : '';
    const left = clock((elapsedMs * (1 - fraction)) / fraction);
    return `${bar}${Math.floor(fraction * 100)} %, ${left} left`;
  }
}

/** Formats a duration like `2:46:30`. */
function clock(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, index) => String(part).padStart(index === 0 ? 1 : 2, '0')).join(':');
}
