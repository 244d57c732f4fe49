import { diffArrays } from 'diff';
import { linesOf } from '../../difference/text-changes.js';

/** The lines from `start` to `end` (exclusive) of the base became `lines`. */
interface Change {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/** Comparing long texts with nothing in common may be slow. After this time the user must merge. */
const TIMEOUT_MS = 1_000;

/**
 * Merges both changes of a text line by line. Returns undefined when they overlap and differ, because the user must
 * decide.
 */
export function mergeText(base: string, mine: string, theirs: string): string | undefined {
  const lines = linesOf(base);
  const changes = [changesOf(lines, linesOf(mine)), changesOf(lines, linesOf(theirs))];
  if (!changes.every((side) => side !== undefined)) return undefined;

  const merged: string[] = [];
  let position = 0;
  const ordered = changes.flat().toSorted((a, b) => a.start - b.start || a.end - b.end);
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

function changesOf(base: string[], changed: string[]): Change[] | undefined {
  const parts = diffArrays(base, changed, { timeout: TIMEOUT_MS });
  if (parts === undefined) return undefined;
  const changes: Change[] = [];
  let position = 0;
  for (const { added, removed, value } of parts) {
    const last = changes.at(-1);
    const isAdjacent = last !== undefined && last.end === position;
    if (added) {
      if (isAdjacent) changes[changes.length - 1] = { ...last, lines: [...last.lines, ...value] };
      else changes.push({ start: position, end: position, lines: value });
    } else if (removed) {
      if (isAdjacent) changes[changes.length - 1] = { ...last, end: position + value.length };
      else changes.push({ start: position, end: position + value.length, lines: [] });
    }
    if (!added) position += value.length;
  }
  return changes;
}

function isSame(a: Change, b: Change): boolean {
  return a.start === b.start && a.end === b.end && a.lines.join('') === b.lines.join('');
}
