import { type NewPost, POST_CONTENT } from '../posts/post.entity.js';
import type { TemporaryFile } from './temporary-file.js';

/**
 * The most posts and text (in UTF-16 units) that one transaction stores. On SQLite, a single write waits for it: some
 * 30 ms. One longer post alone is allowed.
 */
const MAX_ROWS = 500;
const MAX_LENGTH = 524_288;

/** Posts and the words of the search index, as JSON arrays of rows that begin with the place of the post. */
export interface StagedBatch {
  readonly count: number;
  readonly posts: string;
  readonly words: string;
}

/** The posts that an import creates, on the disk, in batches for one transaction each. Each text is serialised once. */
export class ImportBatches {
  #posts: string[] = [];
  #words: string[] = [];
  #length = 0;

  constructor(readonly file: TemporaryFile) {}

  /** @param place counts the posts from 0 @throws DatabaseFault when the disk is full, or no file can be opened */
  async add(place: number, post: NewPost, words: readonly string[]): Promise<void> {
    const row = JSON.stringify([place, ...POST_CONTENT.map((property) => post[property])]);
    if (this.#length + row.length > MAX_LENGTH) await this.#write();
    this.#posts.push(row);
    for (const [part, text] of words.entries()) this.#words.push(JSON.stringify([place, part, text]));
    this.#length += row.length;
    if (this.#posts.length === MAX_ROWS) await this.#write();
  }

  /** The batches in the order of their posts. @throws DatabaseFault as {@link add} does */
  async *read(): AsyncGenerator<StagedBatch> {
    await this.#write();
    const lines = this.file.lines();
    for await (const count of lines) {
      const posts = await lines.next();
      const words = await lines.next();
      yield { count: Number(count), posts: posts.value as string, words: words.value as string };
    }
  }

  async #write(): Promise<void> {
    if (this.#posts.length === 0) return;
    const [count, posts, words] = [String(this.#posts.length), this.#posts.join(), this.#words.join()];
    [this.#posts, this.#words, this.#length] = [[], [], 0];
    for (const line of [count, `[${posts}]`, `[${words}]`]) await this.file.add(line);
  }
}
