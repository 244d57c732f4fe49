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

/** What is imported: to be read as often as it takes. */
export interface ImportSource {
  readonly count: number;
  posts(): AsyncIterable<NewPost>;
}

/** What ends an import before its time, and who is told how far it is. */
export interface ImportWatch {
  /** The process ends: what is stored already is removed at the next start. */
  readonly stop: AbortSignal;
  /** The import is to end, and leave nothing. */
  readonly cancel?: AbortSignal | undefined;
  /** @param posts that are stored so far, of all of them */
  readonly onProgress?: ((posts: number) => void) | undefined;
}

export function throwIfEnded({ stop, cancel }: ImportWatch): void {
  stop.throwIfAborted();
  cancel?.throwIfAborted();
}

/** What a transaction of an import is to take, its commit included: a single write waits for it, and is to be done in 100 ms. */
const TARGET_MS = 35;
const MIN_ROWS = 50;
const MAX_ROWS = 2_000;
/** One slow commit says little, so the size changes by no more than this at a time. */
const MAX_CHANGE = 1.5;

/** How many posts a transaction of an import stores: as many as this machine stores in the time that others can wait. */
export class BatchPace {
  rows = 250;

  /** @param ms what a batch of so many rows has taken */
  note(rows: number, ms: number): void {
    const change = Math.min(MAX_CHANGE, Math.max(1 / MAX_CHANGE, TARGET_MS / ms));
    this.rows = Math.round(Math.min(MAX_ROWS, Math.max(MIN_ROWS, rows * change)));
  }
}
