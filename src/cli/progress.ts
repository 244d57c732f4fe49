/** Logs should get few lines. */
const INTERVAL_MS = 2_000;

/** Reports progress on standard error, in a line from time to time. @returns a function that takes a share from 0 to 1 */
export function progressOf(label: string): (share: number) => void {
  let shownAt = performance.now();
  return (share) => {
    const now = performance.now();
    if (now - shownAt < INTERVAL_MS) return;
    shownAt = now;
    process.stderr.write(`${label}: ${Math.floor(share * 100)} %\n`);
  };
}
