import type { NewPost } from '../posts/post.entity.js';

/** In UTF-16 units: what a batch holds in memory at the most, unless one post alone is longer. */
const MAX_LENGTH = 1_048_576;

/** The posts in their order, in batches of so many, or fewer when they are long. */
export async function* inBatches(
  posts: AsyncIterable<NewPost>,
  rows: () => number,
): AsyncGenerator<NewPost[]> {
  let batch: NewPost[] = [];
  let length = 0;
  for await (const post of posts) {
    if (batch.length > 0 && (batch.length >= rows() || length + post.body.length > MAX_LENGTH)) {
      yield batch;
      batch = [];
      length = 0;
    }
    batch.push(post);
    length += post.body.length;
  }
  if (batch.length > 0) yield batch;
}

/** The posts, each with the id that it has when they are stored in a row. */
export function withIds(posts: readonly NewPost[], first: number): (NewPost & { readonly id: number })[] {
  return posts.map((post, index) => ({ ...post, id: first + index }));
}

/** Asks for the next item before the one at hand is done with, so that both are worked on at the same time. */
export async function* ahead<Item>(items: AsyncGenerator<Item>): AsyncGenerator<Item> {
  try {
    for (let next = items.next(); ;) {
      const { done, value } = await next;
      if (done) return;
      next = items.next();
      // A fault of the next one is told of when its turn comes.
      next.catch(() => undefined);
      yield value;
    }
  } finally {
    await items.return(undefined);
  }
}
