import { diffArrays, diffWordsWithSpace } from 'diff';

/** A part of a line, marked if it differs within the line. */
interface Part {
  readonly text: string;
  readonly isMarked: boolean;
}

export interface DifferenceLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly parts: readonly Part[];
  /** Whether the text ends with this line, without a line end, and only on this side. */
  readonly lacksEnd?: boolean;
}

/** The difference between two texts: lines, and the number of equal lines omitted between them. */
export interface Difference {
  readonly rows: readonly (DifferenceLine | { readonly skipped: number })[];
  readonly removed: number;
  readonly added: number;
  /** The number of removed and added lines omitted because there are too many. */
  readonly leftOut: number;
}

/** A stretch of two texts: lines that are common, or that replace others. */
export interface Stretch {
  readonly isSame: boolean;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** The number of equal lines shown around a change. */
const CONTEXT = 3;
/** The most removed and added lines to show. */
const SHOWN_LINES = 1_000;
/** How much two texts must have in common for a comparison of their words to help. */
const LEAST_IN_COMMON = 0.3;
/** The length of the start and the end that are shown of a long part of a line. */
const SHOWN_CHARACTERS = 2_000;

/** Splits a text into lines including their line ends, so that joining them restores the text. */
export function linesOf(text: string): string[] {
  return text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
}

/**
 * Returns the stretches that turn one text into the other, with the fewest changed lines. After `timeoutMs`, the whole
 * text counts as replaced.
 */
export function stretchesOf(before: string, after: string, timeoutMs: number): Stretch[] {
  const [removed, added] = [linesOf(before), linesOf(after)];
  const parts = diffArrays(removed, added, { timeout: timeoutMs });
  if (!parts) return [{ isSame: false, removed, added }];
  const stretches: { isSame: boolean; removed: string[]; added: string[] }[] = [];
  for (const { value, removed: isRemoved, added: isAdded } of parts) {
    const isSame = !isRemoved && !isAdded;
    if (isSame || stretches.at(-1)?.isSame !== false) stretches.push({ isSame, removed: [], added: [] });
    const last = stretches.at(-1)!;
    if (!isAdded) last.removed = last.removed.concat(value);
    if (!isRemoved) last.added = last.added.concat(value);
  }
  return stretches;
}

/** Compares two texts by lines and marks the words that differ. Bounded for texts of any size. */
export function differenceOf(before: string, after: string, timeoutMs = 500): Difference {
  const deadline = Date.now() + timeoutMs;
  const rows: Difference['rows'][number][] = [];
  const count = { removed: 0, added: 0, leftOut: 0 };
  const stretches = stretchesOf(before, after, timeoutMs);
  for (const [index, { isSame, removed, added }] of stretches.entries()) {
    if (isSame) {
      const isLast = index === stretches.length - 1;
      rows.push(...context(removed, index === 0 ? 0 : CONTEXT, isLast ? 0 : CONTEXT));
      continue;
    }
    const room = Math.max(0, SHOWN_LINES - (count.removed + count.added));
    // Both sides are shown, if both have lines.
    const shown = removed.slice(0, Math.max(Math.floor(room / 2), room - added.length));
    rows.push(...changedLines(shown, added.slice(0, room - shown.length), deadline));
    count.removed += removed.length;
    count.added += added.length;
  }
  count.leftOut = Math.max(0, count.removed + count.added - SHOWN_LINES);
  return { rows: before === after ? [] : rows, ...count };
}

/** Shows the equal lines next to a change, and counts the others. */
function context(lines: readonly string[], atStart: number, atEnd: number): Difference['rows'] {
  const skipped = lines.length - atStart - atEnd;
  if (skipped <= 0) return lines.map(sameLine);
  const end = lines.slice(lines.length - atEnd);
  return [...lines.slice(0, atStart).map(sameLine), { skipped }, ...end.map(sameLine)];
}

function sameLine(line: string): DifferenceLine {
  return { kind: 'same', parts: [{ text: shortened(withoutEnd(line)), isMarked: false }] };
}

function changedLines(
  removed: readonly string[],
  added: readonly string[],
  deadline: number,
): DifferenceLine[] {
  const [old, young] = [removed.join(''), added.join('')];
  const isPair = removed.length > 0 && added.length > 0;
  // A change that affects only line ends must be visible.
  const [oldEnds, newEnds] = [endsOf(removed), endsOf(added)];
  const showsEnds = oldEnds !== '' && newEnds !== '' && oldEnds !== newEnds;
  // Only the last line of a text may have no end: it is said once, there.
  const isUnended = (lines: readonly string[]): boolean => isPair && endOf(lines.at(-1)!) === '';
  const timeout = Math.max(0, deadline - Date.now());
  const words = (isPair && diffWordsWithSpace(old, young, { timeout })) || [];
  const inCommon = words.reduce((sum, { value, ...word }) => sum + (isChange(word) ? 0 : value.length), 0);
  const isAlike = inCommon >= LEAST_IN_COMMON * Math.max(old.length, young.length);
  const side = (kind: 'removed' | 'added', text: string): DifferenceLine[] => {
    const other = kind === 'removed' ? 'added' : 'removed';
    const parts = isAlike && words.length > 0 ? words.filter((word) => !word[other]) : [{ value: text }];
    const marked = parts.map(({ value, ...word }) => ({ text: value, isMarked: isChange(word) }));
    const lines = toLines(marked, showsEnds).map((line): DifferenceLine => ({ kind, parts: line }));
    const [own, others] = kind === 'removed' ? [removed, added] : [added, removed];
    if (isUnended(own) && !isUnended(others)) lines.push({ ...lines.pop()!, lacksEnd: true });
    return lines;
  };
  return [...side('removed', old), ...side('added', young)];
}

function isChange({ removed = false, added = false }: { removed?: boolean; added?: boolean }): boolean {
  return removed || added;
}

/** Names the kinds of line ends of some lines. */
function endsOf(lines: readonly string[]): string {
  return [...new Set(lines.map(endOf))]
    .filter((end) => end !== '')
    .toSorted()
    .join();
}

function endOf(line: string): string {
  return line.slice(withoutEnd(line).length);
}

function toLines(parts: readonly Part[], showsEnds: boolean): (readonly Part[])[] {
  const lines: Part[][] = [];
  let isOpen = false;
  for (const { text, isMarked } of parts) {
    for (const line of linesOf(text)) {
      if (!isOpen) lines.push([]);
      const end = showsEnds ? endOf(line) : '';
      const shown = withoutEnd(line) + end.replace('\r', '␍').replace('\n', '␊');
      if (shown !== '') lines.at(-1)!.push({ text: shortened(shown), isMarked });
      isOpen = withoutEnd(line) === line;
    }
  }
  return lines;
}

function shortened(text: string): string {
  if (text.length <= 2 * SHOWN_CHARACTERS) return text;
  return `${text.slice(0, SHOWN_CHARACTERS)} … ${text.slice(-SHOWN_CHARACTERS)}`;
}

function withoutEnd(line: string): string {
  return line.replace(/(?:\r\n|\r|\n)$/, '');
}
