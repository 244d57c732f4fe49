import type { TITLE_MAX_CODE_POINTS } from '../../../posts/dto/post-fields.js';
import type { PostDto } from '../../../posts/dto/post.dto.js';

export const POSTS_PATH = 'posts/';

/** A post in a list: without its body, which may be of any length. */
export interface PostRow extends Pick<PostDto, 'id' | 'title' | 'pub_date'> {
  /** The time of its last change. */
  readonly modified: string;
  readonly etag: string;
}
export const ROW_FIELDS = 'id,title,pub_date,modified,etag';

export interface FieldDescription {
  readonly label: string;
  /**
   * A single line of text; a date and time, which defaults to the current time; or text of any length and number of
   * lines.
   */
  readonly kind: 'line' | 'moment' | 'text';
  /** The most characters, in Unicode code points. */
  readonly maxLength?: number;
  /** An empty field is not sent: the service then stores its default, such as null. */
  readonly isOptional?: boolean;
}

const TITLE_MAX_LENGTH: typeof TITLE_MAX_CODE_POINTS = 200;

/** The editable fields of a post, in the order of the form. Form, conflicts, history, import and export use it. */
const DESCRIPTIONS = {
  title: { label: 'Title', kind: 'line', maxLength: TITLE_MAX_LENGTH },
  pub_date: { label: 'Date of publication', kind: 'moment', isOptional: true },
  body: { label: 'Body', kind: 'text' },
} as const satisfies Record<string, FieldDescription>;

export type Field = keyof typeof DESCRIPTIONS;
export const FIELDS = Object.keys(DESCRIPTIONS) as readonly Field[];
export const FIELD: Readonly<Record<Field, FieldDescription>> = DESCRIPTIONS;

export type Content = Readonly<Record<Field, string>>;

/** A stored post as it is edited, with its ETag, which a save sends as the precondition. */
export type PostWithEtag = Content & Pick<PostDto, 'id'> & { readonly etag: string };

export function contentWith(valueOf: (field: Field) => string): Content {
  return Object.fromEntries(FIELDS.map((field) => [field, valueOf(field)])) as Content;
}

/** Returns only the editable fields of a post or of a revision. A field that is null is empty, and sent as null. */
export function contentOf(post: Readonly<Record<Field, string | null>>): Content {
  return contentWith((field) => post[field] ?? '');
}

export function isSameContent(one: Content, other: Content): boolean {
  return FIELDS.every((field) => one[field] === other[field]);
}
