import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseFault, type DatabaseFaultKind } from '../database/database-fault.js';
import { LineSplitter } from './lines.js';

const WRITTEN_BYTES = 262_144;
/** Each chunk that is read is also processed at once: less than a millisecond, during which other requests wait. */
const READ_BYTES = 65_536;

/**
 * Holds lines of text on the disk. The file is unlinked at once, so the operating system deletes it when the process
 * ends for any reason.
 */
export class TemporaryFile {
  #waiting: string[] = [];
  #waitingLength = 0;

  private constructor(private readonly file: FileHandle) {}

  /** @throws DatabaseFault when the disk is full, or no file can be opened */
  static async create(folder: string): Promise<TemporaryFile> {
    const path = join(folder, `.import-${randomUUID()}`);
    try {
      const file = await open(path, 'wx+', 0o600);
      await unlink(path);
      return new TemporaryFile(file);
    } catch (error) {
      throw toFault(error);
    }
  }

  /** @param value serialised as one line @throws DatabaseFault when the disk is full */
  async add(value: unknown): Promise<void> {
    const line = `${JSON.stringify(value)}\n`;
    this.#waiting.push(line);
    this.#waitingLength += line.length;
    if (this.#waitingLength >= WRITTEN_BYTES) await this.#write();
  }

  /** The JSON texts in their order. They can be read several times. */
  async *lines(): AsyncGenerator<string> {
    await this.#write();
    const bytes = this.file.createReadStream({ start: 0, autoClose: false, highWaterMark: READ_BYTES });
    const splitter = new LineSplitter({
      maxLineBytes: Infinity,
      tooLong: () => new Error('No line is too long.'),
    });
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      for (const line of splitter.linesIn(chunk)) yield line.bytes.toString();
    }
  }

  close(): Promise<void> {
    return this.file.close();
  }

  async #write(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const text = this.#waiting.join('');
    this.#waiting = [];
    this.#waitingLength = 0;
    try {
      await this.file.appendFile(text);
    } catch (error) {
      throw toFault(error);
    }
  }
}

/** They answer 503, as the same faults of the database do. */
const KINDS: Readonly<Record<string, DatabaseFaultKind>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EMFILE: 'busy',
  ENFILE: 'busy',
};

function toFault(error: unknown): unknown {
  const kind = KINDS[(error as NodeJS.ErrnoException).code ?? ''];
  return kind ? new DatabaseFault(kind, { cause: error }) : error;
}
