import { PIECE_LENGTH } from '../text/steps.js';
import type { NewPost } from '../posts/post.entity.js';
import { formatPubDate } from '../posts/pub-date.js';

/*
 * What a check shows of the posts of a file, so that a person sees what a spreadsheet has made of them before it is stored.
 */

/** A row as it would be stored. */
export interface SampleRow {
  readonly row: number;
  readonly title: string;
  /** Null for a row without a date. */
  readonly pub_date: string | null;
  /** Its beginning. */
  readonly body: string;
}

/** How a row differs from the post that it replaces. */
export interface FieldChange {
  readonly field: 'title' | 'pub_date' | 'body';
  readonly before: string;
  readonly after: string;
}

/** The most characters that are shown of a text, and those before the place where two texts begin to differ. */
const SHOWN = 200;
const CONTEXT = 20;

export function sampleOf(row: number, post: NewPost, hasDate: boolean): SampleRow {
  return {
    row,
    title: post.title,
    pub_date: hasDate ? formatPubDate(post.pubDate) : null,
    body: partOf(post.body, 0),
  };
}

/** How the change of each field is shown. */
const CHANGES: Readonly<Record<keyof NewPost, (before: NewPost, after: NewPost) => FieldChange>> = {
  title: (before, after) => ({ field: 'title', before: before.title, after: after.title }),
  pubDate: (before, after) => ({
    field: 'pub_date',
    before: formatPubDate(before.pubDate),
    after: formatPubDate(after.pubDate),
  }),
  // The parts around the first difference.
  body: (before, after) => {
    const start = Math.max(0, commonStart(before.body, after.body) - CONTEXT);
    return { field: 'body', before: partOf(before.body, start), after: partOf(after.body, start) };
  },
};
const FIELDS = Object.keys(CHANGES) as (keyof NewPost)[];

/** The fields that differ. */
export function changesOf(before: NewPost, after: NewPost): FieldChange[] {
  return FIELDS.filter((field) => before[field] !== after[field]).map((field) =>
    CHANGES[field](before, after),
  );
}

/** How many characters of two texts are the same. */
function commonStart(one: string, other: string): number {
  let length = 0;
  // V8 compares texts much faster than a loop does.
  const isSamePiece = (): boolean =>
    length + PIECE_LENGTH <= one.length &&
    one.slice(length, length + PIECE_LENGTH) === other.slice(length, length + PIECE_LENGTH);
  while (isSamePiece()) length += PIECE_LENGTH;
  while (length < one.length && one.charCodeAt(length) === other.charCodeAt(length)) length += 1;
  return length;
}

/** A part of a text in whole characters. */
function partOf(text: string, start: number): string {
  // Neither half of a pair of surrogates alone.
  const slice = text.slice(start, start + SHOWN).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
  // A copy: a slice keeps the whole text in memory.
  const part = Buffer.from(slice).toString();
  return `${start > 0 ? '…' : ''}${part}${start + SHOWN < text.length ? '…' : ''}`;
}
