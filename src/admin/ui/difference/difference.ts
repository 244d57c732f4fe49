import { type Marked, markWords } from './marked-text.js';
import { linesOf, type Stretch, textChanges } from './text-changes.js';

/** A piece of a line: its text, marked when it differs within the line, or how many characters were left out. */
export type Part = Marked | { readonly leftOut: number };

export interface DifferenceLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly parts: readonly Part[];
}

/** Lines that belong together, and how many equal ones were left out before them. */
export interface DifferenceGroup {
  readonly skippedBefore: number;
  readonly lines: readonly DifferenceLine[];
}

/** What differs between two texts; without a group they are equal. */
export interface Difference {
  readonly groups: readonly DifferenceGroup[];
  /** How many equal lines follow the last group. */
  readonly skippedAfter: number;
  readonly removed: number;
  readonly added: number;
  /** How many of the removed and added lines are not among the groups', because there are too many. */
  readonly leftOut: number;
}

export interface DifferenceBounds {
  /** Equal lines around a change. */
  readonly context: number;
  /** The most removed and added lines that are shown. */
  readonly lines: number;
  /** The longest time that is taken to find few changes instead of one large one. */
  readonly timeoutMs: number;
  /** The longest text within which words are compared. */
  readonly wordCharacters: number;
}

const BOUNDS: DifferenceBounds = { context: 3, lines: 1_000, timeoutMs: 500, wordCharacters: 50_000 };

/** What differs between two texts, by lines, with the words that differ marked; bounded for texts of any size. */
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

/** Goes on with the last group when the equal lines since then are few, otherwise begins another. */
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

/** As much of a change as there is room for, of both sides. */
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

/** Which line ends are used, so that a change of nothing but them is seen. */
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

/** Of a long piece its start and end are shown: as much as makes the change clear. */
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
