import { diffArrays } from 'diff';

/** A stretch of two texts: common lines, or lines that replace others. */
export type Stretch =
  | { readonly kind: 'same'; readonly lines: readonly string[] }
  | { readonly kind: 'change'; readonly removed: readonly string[]; readonly added: readonly string[] };

type Change = Extract<Stretch, { kind: 'change' }>;

/** Splits a text into lines including their line endings, so that joining them restores the text. */
export function linesOf(text: string): string[] {
  return text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
}

/**
 * Returns the stretches that turn one text into the other, with the fewest changed lines. After `timeoutMs`, everything
 * between the first and the last difference counts as replaced.
 */
export function textChanges(before: string, after: string, timeoutMs: number): Stretch[] {
  const old = linesOf(before);
  const young = linesOf(after);
  // Most edits touch one place of a long text. Trimming the common start and end first is fast.
  const start = commonLength(old, young, (lines, index) => lines[index]);
  const oldRest = old.slice(start);
  const youngRest = young.slice(start);
  const end = commonLength(oldRest, youngRest, (lines, index) => lines[lines.length - 1 - index]);
  const removed = oldRest.slice(0, oldRest.length - end);
  const added = youngRest.slice(0, youngRest.length - end);
  const stretches: Stretch[] = [
    { kind: 'same', lines: old.slice(0, start) },
    ...changesBetween(removed, added, timeoutMs),
    { kind: 'same', lines: oldRest.slice(oldRest.length - end) },
  ];
  return stretches.filter((stretch) => stretch.kind === 'change' || stretch.lines.length > 0);
}

function changesBetween(removed: readonly string[], added: readonly string[], timeoutMs: number): Stretch[] {
  if (removed.length === 0 && added.length === 0) return [];
  const found = diffArrays([...removed], [...added], { timeout: timeoutMs });
  if (!found) return [{ kind: 'change', removed, added }];
  const stretches: Stretch[] = [];
  for (const part of found) {
    const last = stretches.at(-1);
    const change: Change = last?.kind === 'change' ? last : { kind: 'change', removed: [], added: [] };
    if (last?.kind === 'change' && (part.removed || part.added)) stretches.pop();
    if (part.removed) stretches.push({ ...change, removed: [...change.removed, ...part.value] });
    else if (part.added) stretches.push({ ...change, added: [...change.added, ...part.value] });
    else stretches.push({ kind: 'same', lines: part.value });
  }
  return stretches;
}

function commonLength<List extends { readonly length: number }>(
  left: List,
  right: List,
  at: (list: List, index: number) => unknown,
): number {
  const most = Math.min(left.length, right.length);
  let length = 0;
  while (length < most && at(left, length) === at(right, length)) length++;
  return length;
}
