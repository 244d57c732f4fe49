import type { NewPost } from '../posts/post.entity.js';

/** The most posts and text (in UTF-16 units) of a statement. One longer post alone is allowed. */
const MAX_ROWS = 500;
const MAX_LENGTH = 524_288;

/** A post that an import stores; a line of its temporary file. */
export interface PlannedPost {
  readonly post: NewPost;
  /** The texts that the search index stores. */
  readonly words: readonly string[];
  /** The post that it replaces, if that still has this version; undefined for a new post. */
  readonly replaces?: { readonly id: number; readonly version: number };
}

/** Divides the lines of a temporary file into batches for one statement: each replacement is alone. */
export async function* importBatches(lines: AsyncIterable<string>): AsyncGenerator<readonly PlannedPost[]> {
  let batch: PlannedPost[] = [];
  let length = 0;
  for await (const line of lines) {
    const planned = JSON.parse(line) as PlannedPost;
    const isFull = batch.length === MAX_ROWS || length + line.length > MAX_LENGTH;
    if (batch[0] && (isFull || planned.replaces || batch[0].replaces)) {
      yield batch;
      batch = [];
      length = 0;
    }
    batch.push(planned);
    length += line.length;
  }
  if (batch.length > 0) yield batch;
}
