import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseFault, type DatabaseFaultKind } from '../database/database-fault.js';
import { linesOf } from './lines.js';

const WRITTEN_BYTES = 262_144;
/** Each chunk that is read is also processed at once: less than a millisecond, during which other requests wait. */
const READ_BYTES = 65_536;

/**
 * Holds lines of text on the disk. The file is unlinked at once, so the operating system deletes it when the process
 * ends for any reason.
 */
export class TemporaryFile {
  #file: FileHandle | undefined;
  #waiting: string[] = [];
  #waitingLength = 0;

  constructor(private readonly folder: string) {}

  /** @param line has no line feed @throws DatabaseFault when the disk is full, or no file can be opened */
  async add(line: string): Promise<void> {
    this.#waiting.push(line, '\n');
    this.#waitingLength += line.length;
    if (this.#waitingLength >= WRITTEN_BYTES) await this.#write();
  }

  /** The lines in their order. They can be read several times. @throws DatabaseFault as {@link add} does */
  async *lines(): AsyncGenerator<string> {
    await this.#write();
    if (!this.#file) return;
    const bytes = this.#file.createReadStream({ start: 0, autoClose: false, highWaterMark: READ_BYTES });
    for await (const line of linesOf(bytes as AsyncIterable<Buffer>)) yield line.bytes.toString();
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }

  async #write(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const text = this.#waiting.join('');
    this.#waiting = [];
    this.#waitingLength = 0;
    try {
      this.#file ??= await openUnlinked(join(this.folder, `.import-${randomUUID()}`));
      await this.#file.appendFile(text);
    } catch (error) {
      const kind = KINDS[(error as NodeJS.ErrnoException).code ?? ''];
      throw kind ? new DatabaseFault(kind, { cause: error }) : error;
    }
  }
}

async function openUnlinked(path: string): Promise<FileHandle> {
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}

/** They answer 503, as the same faults of the database do. */
const KINDS: Readonly<Record<string, DatabaseFaultKind>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EMFILE: 'busy',
  ENFILE: 'busy',
};
