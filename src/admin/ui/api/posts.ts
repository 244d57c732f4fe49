/** Of the API; what was asked for there is kept under keys that begin with it, and goes together. */
export const POSTS_PATH = 'posts/';

/** A post as the posts API shows it. */
export interface Post {
  readonly id: number;
  readonly title: string;
  readonly pub_date: string;
  readonly body: string;
}

/** A post together with the validator of what was read: what a save has to show. */
export interface PostWithEtag extends Post {
  readonly etag: string;
}

/** What a list shows of a post: not its body, which may be of any length. */
export type PostRow = Pick<Post, 'id' | 'title' | 'pub_date'>;

/** How many posts are of a month: `2026-11`. */
export interface MonthCount {
  readonly month: string;
  readonly posts: number;
}

/** What a person can change of a post. */
export type Content = Pick<Post, 'title' | 'pub_date' | 'body'>;
