import type { Post } from '../../src/posts/post.entity.js';

/** The representation of a post in the API. */
export interface PostJson {
  id: number;
  title: string;
  pub_date: string;
  body: string;
}

/** The fields of a post to store. A test states only the fields that matter. */
export function aPost(overrides: Partial<PostJson> = {}): Omit<PostJson, 'id'> & { id?: number } {
  return { title: 'A title', pub_date: '2026-11-20T14:40:00.000Z', body: 'A body.', ...overrides };
}

/** A small post as the database has it, with the id 7. A test states only the fields that matter. */
export function aStoredPost(overrides: Partial<Post> = {}): Post {
  const date = '2026-11-20T14:40:00.000000Z';
  const post = { id: 7, title: 'A title', pubDate: date, body: 'A body.', version: 2, modified: date };
  return { ...post, ...overrides };
}

/** The path of the list of only these posts. @param query more parameters: `&limit=2` */
export function listOf(posts: readonly { readonly id: number }[], query = ''): string {
  return `/posts/?id=${posts.map(({ id }) => id).join()}${query}`;
}

/** The media types of lists of posts, besides HTML. */
export const LIST_TYPES = ['application/json', 'application/x-ndjson', 'text/csv', 'application/atom+xml'];

/** What the `Link` field of a list ends with. @param url of the list */
export function linkToFeed(url: string): string {
  return `, <${url}>; rel="alternate"; type="application/atom+xml"`;
}

/**
 * NDJSON of posts whose export is larger than the socket buffers on both sides (Linux: up to 36 MiB), so that it waits
 * for a client that does not read.
 */
export function linesToWaitFor(title = 'A title'): string {
  return `${JSON.stringify(aPost({ title, body: 'x'.repeat(15_000) }))}\n`.repeat(3_200);
}

/** Posts whose titles and bodies begin with a word, in the order of their dates. */
export function postsNamed(
  word: string,
  number: number,
): { title: string; body: string; pub_date: string }[] {
  return Array.from({ length: number }, (_, index) => ({
    title: `${word} ${index}`,
    body: `${word} body 😀\r\n${index}`,
    pub_date: `2026-03-01T00:00:00.${String(index).padStart(6, '0')}Z`,
  }));
}
