import type { RaRecord } from 'react-admin';

/** A post as the posts API shows it. */
export interface Post extends RaRecord<number> {
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

/** What a person can change of a post. */
export type Content = Pick<Post, 'title' | 'pub_date' | 'body'>;
