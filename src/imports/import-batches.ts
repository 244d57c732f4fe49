import { type NewPost, POST_CONTENT } from '../posts/post.entity.js';

/** The most posts and text (in UTF-16 units) of a statement. One longer post alone is allowed. */
const MAX_ROWS = 500;
const MAX_LENGTH = 524_288;

/** Posts and the words of the search index. */
export interface ImportBatch {
  /** A JSON array of rows, which have the values of {@link POST_CONTENT}. */
  readonly posts: string;
  /** The body that a long post lacks in its row: JSON functions of the databases would copy it ten times. */
  readonly body: string | null;
  /** For each post, the texts of its words, each as JSON. */
  readonly words: readonly (readonly string[])[];
}

/** A line of a temporary file: the row of a post, a long body, and the words. So each text is serialised once. */
export function importLine(post: NewPost, words: readonly string[]): string {
  const isLong = post.body.length > MAX_LENGTH;
  const content = POST_CONTENT.map((name) => (isLong && name === 'body' ? null : post[name]));
  const row = JSON.stringify(content);
  const texts = words.map((text) => JSON.stringify(text));
  // JSON writes a tab within a string as `\t`.
  return [row, isLong ? JSON.stringify(post.body) : '', ...texts].join('\t');
}

/** Divides the lines of {@link importLine} into batches for one statement each. */
export async function* importBatches(lines: AsyncIterable<string>): AsyncGenerator<ImportBatch> {
  let [posts, words, length]: [string[], string[][], number] = [[], [], 0];
  let body: string | null = null;
  for await (const line of lines) {
    const [post = '', long = '', ...texts] = line.split('\t');
    const size = post.length + long.length;
    if (posts.length > 0 && (posts.length === MAX_ROWS || length + size > MAX_LENGTH)) {
      yield { posts: `[${posts.join()}]`, words, body };
      [posts, words, length] = [[], [], 0];
    }
    posts.push(post);
    words.push(texts);
    length += size;
    body = long === '' ? null : (JSON.parse(long) as string);
  }
  if (posts.length > 0) yield { posts: `[${posts.join()}]`, words, body };
}
