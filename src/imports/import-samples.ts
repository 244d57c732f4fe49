import { PIECE_LENGTH } from '../text/steps.js';
import type { PostDto } from '../posts/dto/post.dto.js';
import { POST_FIELDS, type PostField } from '../posts/lists/list-fields.js';
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

/** The fields of a post that a row can change. */
type ChangedField = Exclude<PostField, 'id'>;
const CHANGED_FIELDS = POST_FIELDS.filter((field): field is ChangedField => field !== 'id');

/** How a row differs from the post that it replaces. */
export interface FieldChange {
  readonly field: ChangedField;
  readonly before: PostDto[ChangedField];
  readonly after: PostDto[ChangedField];
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

/** The fields that differ. */
export function changesOf(before: PostDto, after: PostDto): FieldChange[] {
  return CHANGED_FIELDS.filter((field) => before[field] !== after[field]).map((field) => {
    // A body may be long: the parts around its first difference are enough.
    if (field === 'body') return { field, ...differingParts(before.body, after.body) };
    return { field, before: before[field], after: after[field] };
  });
}

function differingParts(before: string, after: string): Pick<FieldChange, 'before' | 'after'> {
  const start = Math.max(0, commonStart(before, after) - CONTEXT);
  return { before: partOf(before, start), after: partOf(after, start) };
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
