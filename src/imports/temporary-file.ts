import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { LineSplitter } from '../http/request/lines.js';
import { isLargeText, slicesOf } from '../http/request/slices.js';
import type { NewPost } from '../posts/post.entity.js';

const WRITTEN_BYTES = 262_144;
/** What is read at a time is also worked on at a time: less than a millisecond, for which others have to wait. */
const READ_BYTES = 65_536;

/** A post, or a slice of the body of the post that follows. */
type FileLine = string | NewPost;

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

  async add(post: NewPost): Promise<void> {
    this.count++;
    // JSON of 64 MiB at once would hold up others for some hundred milliseconds.
    const isLarge = isLargeText(post.body);
    if (isLarge) for (const slice of slicesOf(post.body)) await this.#addLine(slice);
    await this.#addLine(isLarge ? { ...post, body: '' } : post);
  }

  /** The posts in their order, from the first one on. */
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
