/** Of the API; what was asked for there is kept under keys that begin with it, and goes together. */
export const POSTS_PATH = 'posts/';

export interface FieldDescription {
  /** A line of text; a moment, which the service sets when it is left out; or a text of any length, in lines. */
  readonly kind: 'line' | 'moment' | 'text';
  /** What the column is called in files that are imported, without spaces and signs. The first that a file has wins. */
  readonly columnNames: readonly string[];
}

/**
 * What a person can change of a post, in the order of the form. Form, conflicts, history, import and export follow it; the
 * words for each field are in texts/en.ts, its input in posts/form/post-form.tsx.
 */
const DESCRIPTIONS = {
  title: {
    kind: 'line',
    columnNames: ['title', 'posttitle', 'headline', 'subject', 'name', 'titel', 'titre'],
  },
  pub_date: {
    kind: 'moment',
    columnNames: [
      'pubdate',
      'date',
      'published',
      'publishedat',
      'publishdate',
      'publicationdate',
      'postdate',
      'created',
      'createdat',
      'datum',
    ],
  },
  body: {
    kind: 'text',
    columnNames: ['body', 'content', 'text', 'postcontent', 'description', 'inhalt', 'contenu'],
  },
} as const satisfies Record<string, FieldDescription>;

export type Field = keyof typeof DESCRIPTIONS;
export const FIELDS = Object.keys(DESCRIPTIONS) as readonly Field[];
export const FIELD: Readonly<Record<Field, FieldDescription>> = DESCRIPTIONS;

/** What a person can change of a post. */
export type Content = Readonly<Record<Field, string>>;

/** A post as the posts API shows it. */
export interface Post extends Content {
  readonly id: number;
}

/** A post together with the validator of what was read: what a save has to show. */
export interface PostWithEtag extends Post {
  readonly etag: string;
}

/** What a list shows of a post: not its body, which may be of any length. */
export type PostRow = Omit<Post, 'body'>;

/** How many posts are of a month: `2026-11`. */
export interface MonthCount {
  readonly month: string;
  readonly posts: number;
}

/** Makes each field's value of its name. */
export function contentWith(valueOf: (field: Field) => string): Content {
  return Object.fromEntries(FIELDS.map((field) => [field, valueOf(field)])) as Content;
}

/** The fields alone of a post, or of a version of it. */
export function contentOf(post: Content): Content {
  return contentWith((field) => post[field]);
}
