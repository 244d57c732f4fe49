import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseFault, type DatabaseFaultKind } from '../database/database-fault.js';
import { linesOf } from './lines.js';

/** Each chunk that is read is also processed at once: less than a millisecond, during which other requests wait. */
const READ_BYTES = 65_536;

/**
 * Holds lines of text on the disk. The file is unlinked at once, so the operating system deletes it when the process
 * ends for any reason.
 */
export class TemporaryFile {
  #file: FileHandle | undefined;

  constructor(private readonly folder: string) {}

  /** @param line has no line feed @throws DatabaseFault when the disk is full, or no file can be opened */
  async add(line: string): Promise<void> {
    try {
      this.#file ??= await openUnlinked(join(this.folder, `.import-${randomUUID()}`));
      await this.#file.appendFile(`${line}\n`);
    } catch (error) {
      const kind = KINDS[(error as NodeJS.ErrnoException).code ?? ''];
      throw kind ? new DatabaseFault(kind, { cause: error }) : error;
    }
  }

  /** The lines in their order. They can be read several times. */
  async *lines(): AsyncGenerator<string> {
    if (!this.#file) return;
    const stream = this.#file.createReadStream({ start: 0, autoClose: false, highWaterMark: READ_BYTES });
    // A reader that ends early, as that of a transaction that runs again, must not close the file.
    const chunks = stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
    for await (const lines of linesOf(chunks)) for (const { bytes } of lines) yield bytes.toString();
  }

  async close(): Promise<void> {
    await this.#file?.close();
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
