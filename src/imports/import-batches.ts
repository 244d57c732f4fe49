import type { NewPost } from '../posts/post.entity.js';

/** The most text in a batch, in UTF-16 units. One longer post alone is allowed. */
const MAX_LENGTH = 1_048_576;

/** Splits the posts, in order, into batches of this many rows, or fewer when the posts are long. */
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

export function withIds(posts: readonly NewPost[], first: number): (NewPost & { readonly id: number })[] {
  return posts.map((post, index) => ({ ...post, id: first + index }));
}

/** Requests the next item before the current one is processed, so that both are worked on at the same time. */
export async function* ahead<Item>(items: AsyncGenerator<Item>): AsyncGenerator<Item> {
  try {
    for (let next = items.next(); ;) {
      const { done, value } = await next;
      if (done) return;
      next = items.next();
      // If the next item fails, the error is thrown in its turn.
      next.catch(() => undefined);
      yield value;
    }
  } finally {
    await items.return(undefined);
  }
}

/** The posts to import. They can be read several times. */
export interface ImportSource {
  readonly count: number;
  posts(): AsyncIterable<NewPost>;
}

/** Signals that end an import early, and a callback for its progress. */
export interface ImportWatch {
  /** The process is stopping. The next start removes the posts that are already stored. */
  readonly stop: AbortSignal;
  /** The import is cancelled and removes its posts. */
  readonly cancel?: AbortSignal | undefined;
  /** @param posts the number of posts stored so far */
  readonly onProgress?: ((posts: number) => void) | undefined;
}

export function throwIfEnded({ stop, cancel }: ImportWatch): void {
  stop.throwIfAborted();
  cancel?.throwIfAborted();
}

/**
 * The target time of an import's transaction, including its commit. A single write waits for it, and should take less
 * than 100 ms.
 */
const TARGET_MS = 35;
const MIN_ROWS = 50;
const MAX_ROWS = 2_000;
/** A single slow commit is not significant, so the size changes by at most this factor at a time. */
const MAX_CHANGE = 1.5;

/** Adapts the number of posts in an import's transaction to the speed of the machine, to stay near the target time. */
export class BatchPace {
  rows = 250;

  /** @param ms how long a batch of this many rows took */
  note(rows: number, ms: number): void {
    const change = Math.min(MAX_CHANGE, Math.max(1 / MAX_CHANGE, TARGET_MS / ms));
    this.rows = Math.round(Math.min(MAX_ROWS, Math.max(MIN_ROWS, rows * change)));
  }
}
