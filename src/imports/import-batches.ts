import { titleKey } from '../posts/folded-text.js';
import { type NewPost, POST_CONTENT } from '../posts/post.entity.js';

/**
 * The most posts and text (in UTF-16 units) that one transaction stores. On SQLite, a single write waits for it: some
 * 30 ms. One longer post alone is allowed.
 */
const MAX_ROWS = 500;
const MAX_LENGTH = 524_288;

/** The properties in the rows of a batch, after the place of the post. */
export const STAGED_PROPERTIES = [...POST_CONTENT, 'titleKey'] as const;

/** Posts and the words of the search index, as JSON arrays of rows that begin with the place of the post. */
export interface StagedBatch {
  readonly count: number;
  readonly posts: string;
  readonly words: string;
  /** The body that a long post lacks in its row: JSON functions of the databases would copy it ten times. */
  readonly body: string | null;
}

/**
 * A line of a temporary file: a post and its words, as rows of a {@link StagedBatch}, and a long body. So each text is
 * serialised once.
 *
 * @param place counts the posts from 0
 */
export function stagedLine(place: number, post: NewPost, words: readonly string[]): string {
  const isLong = post.body.length > MAX_LENGTH;
  const content = POST_CONTENT.map((name) => (isLong && name === 'body' ? null : post[name]));
  const row = JSON.stringify([place, ...content, titleKey(post.title)]);
  const wordRows = words.map((text, part) => JSON.stringify([place, part, text]));
  // JSON writes a tab within a string as `\t`.
  return [row, wordRows.join(), isLong ? JSON.stringify(post.body) : ''].join('\t');
}

/** Divides the lines of {@link stagedLine} into batches for one transaction each. */
export async function* stagedBatches(lines: AsyncIterable<string>): AsyncGenerator<StagedBatch> {
  let [posts, words, length]: [string[], string[], number] = [[], [], 0];
  let body: string | null = null;
  const batch = (): StagedBatch => ({
    count: posts.length,
    posts: `[${posts.join()}]`,
    words: `[${words.join()}]`,
    body,
  });
  for await (const line of lines) {
    const [post = '', rows = '', long = ''] = line.split('\t');
    const size = post.length + long.length;
    const isFull = posts.length === MAX_ROWS || length + size > MAX_LENGTH;
    if (isFull && posts.length > 0) {
      yield batch();
      [posts, words, length] = [[], [], 0];
    }
    posts.push(post);
    if (rows !== '') words.push(rows);
    length += size;
    body = long === '' ? null : (JSON.parse(long) as string);
  }
  if (posts.length > 0) yield batch();
}
