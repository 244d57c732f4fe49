import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { LineSplitter } from '../http/request/lines.js';
import { isLargeText, slicesOf } from '../http/request/slices.js';
import type { NewPost } from '../posts/post.entity.js';

const WRITTEN_BYTES = 262_144;
/** Each chunk that is read is also processed at once: less than a millisecond, during which other requests wait. */
const READ_BYTES = 65_536;

/** A post, or a slice of the next post's body. */
type FileLine = string | NewPost;

/**
 * Holds posts on the disk until all of them are validated. The file is unlinked at once, so the operating system
 * deletes it when the process ends for any reason.
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

  async add(post: NewPost): Promise<void> {
    this.count++;
    // Serialising 64 MiB at once would block the event loop for some hundred milliseconds.
    const isLarge = isLargeText(post.body);
    if (isLarge) for (const slice of slicesOf(post.body)) await this.#addLine(slice);
    await this.#addLine(isLarge ? { ...post, body: '' } : post);
  }

  async *posts(): AsyncGenerator<NewPost> {
    await this.#write();
    const bytes = this.file.createReadStream({ start: 0, autoClose: false, highWaterMark: READ_BYTES });
    const splitter = new LineSplitter({
      maxLineBytes: Infinity,
      tooLong: () => new Error('No line is too long.'),
    });
    let start = '';
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      for (const line of splitter.linesIn(chunk)) {
        const value = JSON.parse(line.bytes.toString()) as FileLine;
        if (typeof value === 'string') {
          start += value;
        } else {
          yield { ...value, body: start + value.body };
          start = '';
        }
      }
    }
  }

  close(): Promise<void> {
    return this.file.close();
  }

  async #addLine(value: FileLine): Promise<void> {
    const line = `${JSON.stringify(value)}\n`;
    this.#waiting.push(line);
    this.#waitingLength += line.length;
    if (this.#waitingLength >= WRITTEN_BYTES) await this.#write();
  }

  async #write(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const text = this.#waiting.join('');
    this.#waiting = [];
    this.#waitingLength = 0;
    await this.file.appendFile(text);
  }
}
