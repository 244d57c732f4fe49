import { diffWordsWithSpace } from 'diff';

/** A piece of a text; what is marked is what differs. */
export interface Marked {
  readonly text: string;
  readonly isMarked: boolean;
}

export interface MarkedTexts {
  readonly removed: readonly Marked[];
  readonly added: readonly Marked[];
}

/** Texts that have less than this in common are two texts, and marks in them would only be in the way. */
const LEAST_IN_COMMON = 0.3;

/** So far back a word is looked for that a difference begins or ends within. */
const LONGEST_WORD = 40;
const WORD_END = /\S*$/;
const WORD_START = /^\S*/;

/** Marks the words that differ between two texts, in texts of any length. */
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

/** How much the texts have in common at their start and end, up to the borders of words. */
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

/** Whether a place is within what is shown as one: a character of two code units, or CRLF. */
function isWithinPair(text: string, index: number): boolean {
  return /^(?:[\ud800-\udbff][\udc00-\udfff]|\r\n)$/.test(text.slice(Math.max(0, index - 1), index + 1));
}

function wordLength(text: string): number {
  return text.replaceAll(/\s/g, '').length;
}

const plain = (text: string): Marked[] => (text === '' ? [] : [{ text, isMarked: false }]);
const marked = (text: string): Marked[] => (text === '' ? [] : [{ text, isMarked: true }]);
