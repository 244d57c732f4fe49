/** Logs should get few lines. */
const [TERMINAL_INTERVAL_MS, PLAIN_INTERVAL_MS] = [100, 5_000];
const CLEAR_LINE = '\r\u001b[K';

/**
 * Shows progress on standard error: in one line of a terminal, otherwise in a line from time to time.
 *
 * @param work gets a function that shows a fraction from 0 to 1
 */
export async function withProgress(
  label: string,
  work: (show: (fraction: number) => void) => Promise<void>,
): Promise<void> {
  const isTerminal = process.stderr.isTTY;
  let shownAt = performance.now();
  const show = (fraction: number): void => {
    const now = performance.now();
    if (now - shownAt < (isTerminal ? TERMINAL_INTERVAL_MS : PLAIN_INTERVAL_MS)) return;
    shownAt = now;
    const line = `${label}: ${Math.floor(fraction * 100)} %`;
    process.stderr.write(isTerminal ? CLEAR_LINE + line : `${line}\n`);
  };
  try {
    await work(show);
  } finally {
    if (isTerminal) process.stderr.write(CLEAR_LINE);
  }
}
