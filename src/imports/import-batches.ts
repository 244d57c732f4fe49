import type { StagedBatch } from './staged-posts.repository.js';

/** The most text in a batch, in UTF-16 units. One longer post alone is allowed. */
const MAX_LENGTH = 1_048_576;
const MIN_ROWS = 50;
const MAX_ROWS = 2_000;
/** A single slow commit is not significant, so the size changes by at most this factor at a time. */
const MAX_CHANGE = 1.5;

/** Adapts the number of posts in an import's transaction to the speed of the machine. */
export class BatchPace {
  rows = 250;

  /** @param targetMs how long a transaction should take, including its commit */
  constructor(private readonly targetMs: number) {}

  /** @param ms how long a batch of this many rows took */
  note(rows: number, ms: number): void {
    const change = Math.min(MAX_CHANGE, Math.max(1 / MAX_CHANGE, this.targetMs / ms));
    this.rows = Math.round(Math.min(MAX_ROWS, Math.max(MIN_ROWS, rows * change)));
  }
}

/**
 * Joins the lines of a temporary file into batches. The line of a post begins with its place and its title, the lines of
 * its words follow; see {@link StagedBatch}. The texts are passed on as JSON, as they were written.
 */
export async function* batchesOf(lines: AsyncIterable<string>, pace: BatchPace): AsyncGenerator<StagedBatch> {
  let posts: string[] = [];
  let words: string[] = [];
  let length = 0;
  const batch = (): StagedBatch => ({
    count: posts.length,
    posts: `[${posts.join()}]`,
    words: `[${words.join()}]`,
  });
  for await (const line of lines) {
    if (!isPost(line)) {
      words.push(line);
      continue;
    }
    if (posts.length > 0 && (posts.length >= pace.rows || length + line.length > MAX_LENGTH)) {
      yield batch();
      [posts, words, length] = [[], [], 0];
    }
    posts.push(line);
    length += line.length;
  }
  if (posts.length > 0) yield batch();
}

/** `[7,"Title",…` is a post, `[7,0,"its words"]` are words. */
function isPost(line: string): boolean {
  return line[line.indexOf(',') + 1] === '"';
}
