import type { NewPost } from '../posts.repository.js';

/** In UTF-16 units: what a batch holds in memory at the most, unless one post alone is longer. */
const MAX_LENGTH = 1_048_576;

/** The posts in their order, in batches of so many, or fewer when they are long; each as what is made of it. */
export async function* inBatches<Item>(
  posts: AsyncIterable<NewPost>,
  rows: () => number,
  itemOf: (post: NewPost, index: number) => Item | Promise<Item>,
): AsyncGenerator<Item[]> {
  let batch: Item[] = [];
  let length = 0;
  let index = 0;
  for await (const post of posts) {
    if (batch.length > 0 && (batch.length >= rows() || length + post.body.length > MAX_LENGTH)) {
      yield batch;
      batch = [];
      length = 0;
    }
    const item = itemOf(post, index);
    // Nearly all are there at once, and waiting would cost as much as the rest.
    batch.push(item instanceof Promise ? await item : item);
    length += post.body.length;
    index += 1;
  }
  if (batch.length > 0) yield batch;
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
