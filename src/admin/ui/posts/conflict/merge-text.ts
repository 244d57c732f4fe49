import { linesOf, textChanges } from '../../difference/text-changes.js';

/** The lines from `start` to `end` (exclusive) of the base became `lines`. */
interface Change {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/** After this time, everything between the first and the last difference of a side is one change. */
const TIMEOUT_MS = 1_000;

/**
 * Merges both changes of a text line by line. Returns undefined when they overlap and differ, because the user must
 * decide.
 */
export function mergeText(base: string, mine: string, theirs: string): string | undefined {
  const lines = linesOf(base);
  const changes = [...changesOf(base, mine), ...changesOf(base, theirs)];
  const merged: string[] = [];
  let position = 0;
  const ordered = changes.toSorted((a, b) => a.start - b.start || a.end - b.end);
  for (const [index, change] of ordered.entries()) {
    const before = ordered[index - 1];
    if (before !== undefined) {
      if (isSame(before, change)) continue;
      if (change.start <= before.end) return undefined;
    }
    merged.push(...lines.slice(position, change.start), ...change.lines);
    position = change.end;
  }
  return [...merged, ...lines.slice(position)].join('');
}

function changesOf(base: string, changed: string): Change[] {
  let start = 0;
  return textChanges(base, changed, TIMEOUT_MS).flatMap((stretch) => {
    const isSameText = stretch.kind === 'same';
    const end = start + (isSameText ? stretch.lines : stretch.removed).length;
    const change = isSameText ? [] : [{ start, end, lines: stretch.added }];
    start = end;
    return change;
  });
}

function isSame(a: Change, b: Change): boolean {
  return a.start === b.start && a.end === b.end && a.lines.join('') === b.lines.join('');
}
