import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type Line, LineSplitter } from '../http/request/lines.js';
import type { NewPost } from '../posts/posts.repository.js';

const WRITTEN_BYTES = 262_144;
/** What is read at a time is also worked on at a time: less than a millisecond, for which others have to wait. */
const READ_BYTES = 65_536;

/**
 * Posts that are on the disk and in nobody's way until it is known that all of them are good. The file has no name, so
 * that nothing of it is left when the process ends, however it does.
 */
export class TemporaryFile {
  count = 0;
  #waiting: string[] = [];
  #waitingLength = 0;

  private constructor(private readonly file: FileHandle) {}

  static async create(folder: string): Promise<TemporaryFile> {
    const path = join(folder, `.import-${randomUUID()}`);
    const file = await open(path, 'wx+', 0o600);
    await unlink(path);
    return new TemporaryFile(file);
  }

  async add({ title, pubDate, body }: NewPost): Promise<void> {
    const line = `${JSON.stringify([title, pubDate, body])}\n`;
    this.count++;
    this.#waiting.push(line);
    this.#waitingLength += line.length;
    if (this.#waitingLength >= WRITTEN_BYTES) await this.#write();
  }

  /** The posts in their order, from the first one on. */
  async *posts(): AsyncGenerator<NewPost> {
    await this.#write();
    const bytes = this.file.createReadStream({ start: 0, autoClose: false, highWaterMark: READ_BYTES });
    const splitter = new LineSplitter({
      maxLineBytes: Infinity,
      tooLong: () => new Error('No line is too long.'),
    });
    for await (const chunk of bytes as AsyncIterable<Buffer>) yield* postsOf(splitter.linesIn(chunk));
    yield* postsOf(splitter.rest());
  }

  close(): Promise<void> {
    return this.file.close();
  }

  async #write(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const text = this.#waiting.join('');
    this.#waiting = [];
    this.#waitingLength = 0;
    await this.file.appendFile(text);
  }
}

function* postsOf(lines: Iterable<Line>): Generator<NewPost> {
  for (const { bytes } of lines) {
    const [title, pubDate, body] = JSON.parse(bytes.toString()) as [string, string, string];
    yield { title, pubDate, body };
  }
}
