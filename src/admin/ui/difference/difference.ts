import { type Marked, markWords } from './marked-text.js';
import { linesOf, type Stretch, textChanges } from './text-changes.js';

/** A part of a line: text, marked if it differs within the line, or the number of omitted characters. */
export type Part = Marked | { readonly leftOut: number };

export interface DifferenceLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly parts: readonly Part[];
}

/** Consecutive lines, and the number of equal lines omitted before them. */
export interface DifferenceGroup {
  readonly skippedBefore: number;
  readonly lines: readonly DifferenceLine[];
}

/** The difference between two texts; no groups mean that they are equal. */
export interface Difference {
  readonly groups: readonly DifferenceGroup[];
  /** The number of equal lines after the last group. */
  readonly skippedAfter: number;
  readonly removed: number;
  readonly added: number;
  /** The number of removed and added lines omitted because there are too many. */
  readonly leftOut: number;
}

export interface DifferenceBounds {
  /** The number of equal lines shown around a change. */
  readonly context: number;
  /** The most removed and added lines to show. */
  readonly lines: number;
  /** The time limit for the search for small changes. After it, one large change is reported. */
  readonly timeoutMs: number;
  /** The longest text whose words are compared. */
  readonly wordCharacters: number;
}

const BOUNDS: DifferenceBounds = { context: 3, lines: 1_000, timeoutMs: 500, wordCharacters: 50_000 };

/** Compares two texts by lines and marks the differing words. Bounded for texts of any size. */
export function differenceOf(
  before: string,
  after: string,
  bounds: Partial<DifferenceBounds> = {},
): Difference {
  const { context, lines, timeoutMs, wordCharacters } = { ...BOUNDS, ...bounds };
  const deadline = Date.now() + timeoutMs;
  const groups: { skippedBefore: number; lines: DifferenceLine[] }[] = [];
  let same: readonly string[] = [];
  const count = { removed: 0, added: 0, leftOut: 0 };
  for (const stretch of textChanges(before, after, timeoutMs)) {
    if (stretch.kind === 'same') {
      same = stretch.lines;
      continue;
    }
    openGroup(groups, same, context);
    same = [];
    const room = Math.max(0, lines - (count.removed + count.added - count.leftOut));
    const shown = cut(stretch, room);
    groups
      .at(-1)!
      .lines.push(
        ...changedLines(shown, { characters: wordCharacters, timeoutMs: Math.max(0, deadline - Date.now()) }),
      );
    count.removed += stretch.removed.length;
    count.added += stretch.added.length;
    count.leftOut +=
      stretch.removed.length + stretch.added.length - shown.removed.length - shown.added.length;
  }
  const tail = groups.length === 0 ? [] : same.slice(0, context);
  groups.at(-1)?.lines.push(...sameLines(tail));
  return { groups, skippedAfter: groups.length === 0 ? 0 : same.length - tail.length, ...count };
}

type Change = Extract<Stretch, { kind: 'change' }>;

/** Continues the last group when few equal lines follow it, otherwise starts a new group. */
function openGroup(
  groups: { skippedBefore: number; lines: DifferenceLine[] }[],
  same: readonly string[],
  context: number,
): void {
  const last = groups.at(-1);
  if (last && same.length <= 2 * context) {
    last.lines.push(...sameLines(same));
    return;
  }
  const after = last ? context : 0;
  last?.lines.push(...sameLines(same.slice(0, after)));
  const before = same.slice(Math.max(after, same.length - context));
  groups.push({ skippedBefore: same.length - after - before.length, lines: sameLines(before) });
}

function sameLines(lines: readonly string[]): DifferenceLine[] {
  return lines.map((line) => ({
    kind: 'same',
    parts: shortened([{ text: withoutEnd(line), isMarked: false }]),
  }));
}

/** Cuts a change to the available lines, on both sides. */
function cut(change: Change, room: number): Change {
  if (change.removed.length + change.added.length <= room) return change;
  const removed = change.removed.slice(0, Math.max(Math.floor(room / 2), room - change.added.length));
  return { kind: 'change', removed, added: change.added.slice(0, room - removed.length) };
}

function changedLines(
  { removed, added }: Change,
  bounds: { readonly characters: number; readonly timeoutMs: number },
): DifferenceLine[] {
  const texts = { removed: removed.join(''), added: added.join('') };
  const marks =
    removed.length > 0 && added.length > 0
      ? markWords(texts.removed, texts.added, bounds)
      : {
          removed: [{ text: texts.removed, isMarked: false }],
          added: [{ text: texts.added, isMarked: false }],
        };
  const showsEnds = endsOf(removed) !== endsOf(added) && removed.length > 0 && added.length > 0;
  return [
    ...toLines(marks.removed, showsEnds).map((parts) => ({ kind: 'removed' as const, parts })),
    ...toLines(marks.added, showsEnds).map((parts) => ({ kind: 'added' as const, parts })),
  ];
}

/** Names the line endings, to show a change that affects only them. */
function endsOf(lines: readonly string[]): string {
  return [...new Set(lines.map((line) => line.slice(withoutEnd(line).length)))].toSorted().join();
}

function toLines(marks: readonly Marked[], showsEnds: boolean): (readonly Part[])[] {
  const lines: Marked[][] = [];
  let isOpen = false;
  for (const { text, isMarked } of marks) {
    for (const line of linesOf(text)) {
      if (!isOpen) lines.push([]);
      const shown = showsEnds ? withVisibleEnd(line) : withoutEnd(line);
      if (shown !== '') lines.at(-1)!.push({ text: shown, isMarked });
      isOpen = withoutEnd(line) === line;
    }
  }
  return lines.map(shortened);
}

/** Shortens a long part to its start and end. */
function shortened(parts: readonly Marked[]): readonly Part[] {
  return parts.flatMap((part): Part[] => {
    const kept = part.isMarked ? 2_000 : 200;
    const characters = part.text.length > 2 * kept ? Array.from(part.text) : [];
    const leftOut = characters.length - 2 * kept;
    if (leftOut <= kept) return [part];
    return [
      { ...part, text: characters.slice(0, kept).join('') },
      { leftOut },
      { ...part, text: characters.slice(-kept).join('') },
    ];
  });
}

function withoutEnd(line: string): string {
  return line.replace(/(?:\r\n|\r|\n)$/, '');
}

function withVisibleEnd(line: string): string {
  return withoutEnd(line) + line.slice(withoutEnd(line).length).replace('\r', '␍').replace('\n', '␊');
}
