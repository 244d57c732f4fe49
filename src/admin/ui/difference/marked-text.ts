import { diffWordsWithSpace } from 'diff';

/** A part of a text; marked parts differ. */
export interface Marked {
  readonly text: string;
  readonly isMarked: boolean;
}

export interface MarkedTexts {
  readonly removed: readonly Marked[];
  readonly added: readonly Marked[];
}

/** Below this share of common text, marks would only distract; the texts are shown as different. */
const LEAST_IN_COMMON = 0.3;

/** The maximum distance to search for the border of a word. */
const LONGEST_WORD = 40;
const WORD_END = /\S*$/;
const WORD_START = /^\S*/;

/** Marks the words that differ between two texts of any length. */
export function markWords(
  removed: string,
  added: string,
  bounds: { readonly characters: number; readonly timeoutMs: number },
): MarkedTexts {
  const { start, end } = commonEnds(removed, added);
  const head = plain(removed.slice(0, start));
  const tail = plain(removed.slice(removed.length - end));
  const middle = markMiddle(
    removed.slice(start, removed.length - end),
    added.slice(start, added.length - end),
    bounds,
  );
  const texts = {
    removed: [...head, ...middle.removed, ...tail],
    added: [...head, ...middle.added, ...tail],
  };
  const inCommon = texts.removed.reduce(
    (sum, { text, isMarked }) => sum + (isMarked ? 0 : wordLength(text)),
    0,
  );
  const isAlike = inCommon >= LEAST_IN_COMMON * Math.max(wordLength(removed), wordLength(added));
  return isAlike ? texts : { removed: plain(removed), added: plain(added) };
}

function markMiddle(
  removed: string,
  added: string,
  { characters, timeoutMs }: { readonly characters: number; readonly timeoutMs: number },
): MarkedTexts {
  const isSmall = removed.length + added.length <= characters;
  const changes = isSmall ? diffWordsWithSpace(removed, added, { timeout: timeoutMs }) : undefined;
  if (!changes) return { removed: marked(removed), added: marked(added) };
  const partsOf = (other: 'added' | 'removed'): Marked[] =>
    changes
      .filter((change) => !change[other])
      .map(({ value, added: isAdded, removed: isRemoved }) => ({
        text: value,
        isMarked: isAdded || isRemoved,
      }));
  return { removed: partsOf('added'), added: partsOf('removed') };
}

/** Returns the lengths of the common start and end, cut at word borders. */
function commonEnds(left: string, right: string): { start: number; end: number } {
  const most = Math.min(left.length, right.length);
  let start = 0;
  while (start < most && left[start] === right[start]) start++;
  start -= WORD_END.exec(left.slice(Math.max(0, start - LONGEST_WORD), start))![0].length;
  if (isWithinPair(left, start) || isWithinPair(right, start)) start--;
  let end = 0;
  while (end < most - start && left[left.length - 1 - end] === right[right.length - 1 - end]) end++;
  end -= WORD_START.exec(left.slice(left.length - end, left.length - end + LONGEST_WORD))![0].length;
  if (isWithinPair(left, left.length - end) || isWithinPair(right, right.length - end)) end--;
  return { start, end };
}

/** Whether an index splits a surrogate pair or a CRLF. */
function isWithinPair(text: string, index: number): boolean {
  return /^(?:[\ud800-\udbff][\udc00-\udfff]|\r\n)$/.test(text.slice(Math.max(0, index - 1), index + 1));
}

function wordLength(text: string): number {
  return text.replaceAll(/\s/g, '').length;
}

const plain = (text: string): Marked[] => (text === '' ? [] : [{ text, isMarked: false }]);
const marked = (text: string): Marked[] => (text === '' ? [] : [{ text, isMarked: true }]);
