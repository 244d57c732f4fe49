/** The output for progress: `process.stderr`, so that standard output holds only data. */
export interface ProgressOutput {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

const TERMINAL_INTERVAL_MS = 100;
/** Logs should get few lines. */
const PLAIN_INTERVAL_MS = 5_000;
const BAR_LENGTH = 24;
const CLEAR_LINE = '\r\u001b[K';

export interface ProgressState {
  readonly label: string;
  readonly posts: number;
  /** From 0 to 1; undefined when the total is unknown. */
  readonly fraction: number | undefined;
}

/** Shows progress: a bar on a terminal, otherwise a line from time to time. */
export class Progress {
  #state: ProgressState = { label: '', posts: 0, fraction: undefined };
  #startedAt = performance.now();
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly output: ProgressOutput) {}

  /** A new label starts a new bar. */
  show(state: ProgressState): void {
    if (state.label !== this.#state.label) this.#startedAt = performance.now();
    this.#state = state;
    const interval = this.output.isTTY ? TERMINAL_INTERVAL_MS : PLAIN_INTERVAL_MS;
    this.#timer ??= setInterval(() => this.#write(), interval).unref();
  }

  end(): void {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (this.output.isTTY) this.output.write(CLEAR_LINE);
  }

  #write(): void {
    const elapsedMs = performance.now() - this.#startedAt;
    const { isTTY = false } = this.output;
    const line = progressLine(this.#state, elapsedMs, isTTY);
    this.output.write(isTTY ? CLEAR_LINE + line : `${line}\n`);
  }
}

/** Formats a state as text, with its rate and the estimated time left. */
export function progressLine(
  { label, posts, fraction }: ProgressState,
  elapsedMs: number,
  withBar: boolean,
): string {
  const parts = [`${Math.floor(posts).toLocaleString('en')} posts`];
  const perSecond = Math.round(posts / (elapsedMs / 1_000));
  if (elapsedMs > 0 && posts > 0) parts.push(`${perSecond.toLocaleString('en')}/s`);
  if (fraction === undefined) {
    parts.push(`${clock(elapsedMs)} so far`);
  } else {
    parts.unshift(`${Math.floor(fraction * 100)} %`);
    if (fraction > 0) parts.push(`${clock((elapsedMs * (1 - fraction)) / fraction)} left`);
  }
  const bar = withBar && fraction !== undefined ? ` ${barOf(fraction)}` : '';
  return `${label}:${bar} ${parts.join(', ')}`;
}

function barOf(fraction: number): string {
  const full = Math.round(Math.min(1, fraction) * BAR_LENGTH);
  return `[${'#'.repeat(full)}${'-'.repeat(BAR_LENGTH - full)}]`;
}

function clock(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes}:${pad(seconds % 60)}`
    : `${Math.floor(minutes / 60)}:${pad(minutes % 60)}:${pad(seconds % 60)}`;
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
