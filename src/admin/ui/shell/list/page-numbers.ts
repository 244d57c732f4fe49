/** The service reads no page beyond this offset, because it would read all rows before it. */
const MAX_OFFSET = 10_000;

/** The number of the last page to which the service jumps. */
export function lastPage(count: number, limit: number): number {
  return Math.min(Math.ceil(count / limit), Math.floor(MAX_OFFSET / limit) + 1);
}

/** The numbers that are shown: the first page, the last, and those around the current one. */
export function pageNumbers(current: number, last: number): number[] {
  const shown = [1, current - 1, current, current + 1, last];
  return [...new Set(shown)].filter((page) => page >= 1 && page <= last).toSorted((a, b) => a - b);
}
