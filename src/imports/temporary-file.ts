import { randomUUID } from 'node:crypto';
import { type FileHandle, open, statfs, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseFault } from '../database/index.js';
import { ServiceUnavailable } from '../problem-details/index.js';
import { linesOf } from './lines.js';

/** Each chunk that is read is also processed at once: less than a millisecond, during which other requests wait. */
const READ_BYTES = 65_536;

/** The bytes that a file gets before it is asked again how much space is free. */
const GRANTED_BYTES = 4 * 1_024 * 1_024;
/** The files of one client take at most this part of the space that is free. */
const CLIENT_PART = 1 / 4;
/** The files of all clients together. The rest is for the database, to which the posts go next. */
const ALL_PART = 1 / 2;

/** 503: the disk would not have enough space left for the database and the imports of others. */
class TooLittleSpace extends ServiceUnavailable {
  static override readonly sentence =
    'The import takes more than its part of the free space on the disk; nothing was changed.';
}

/** The temporary files of all imports, which are in one folder and share its disk. */
export class TemporaryFiles {
  /** The bytes that the open files of each client may take. */
  readonly #granted = new Map<string, number>();
  #total = 0;

  constructor(private readonly folder: string) {}

  /** @param client the address that sends the import */
  open(client: string): TemporaryFile {
    return new TemporaryFile(this.folder, client, {
      grant: (bytes) => this.#grant(client, bytes),
      giveBack: (bytes) => this.#giveBack(client, bytes),
    });
  }

  /** @returns how many bytes more the client may write, at least as many as it needs @throws TooLittleSpace */
  async #grant(client: string, needed: number): Promise<number> {
    const { bavail, bsize } = await statfs(this.folder);
    // After the wait: another file of the client may have been granted some.
    const granted = this.#granted.get(client) ?? 0;
    const free = bavail * bsize;
    const room = Math.floor(Math.min(free * CLIENT_PART - granted, free * ALL_PART - this.#total));
    if (room < needed) throw new TooLittleSpace();
    const bytes = Math.min(room, Math.max(needed, GRANTED_BYTES));
    this.#granted.set(client, granted + bytes);
    this.#total += bytes;
    return bytes;
  }

  #giveBack(client: string, bytes: number): void {
    this.#total -= bytes;
    const left = (this.#granted.get(client) ?? 0) - bytes;
    if (left > 0) this.#granted.set(client, left);
    else this.#granted.delete(client);
  }
}

/** The part of the disk that a file may use. */
interface DiskShare {
  readonly grant: (bytes: number) => Promise<number>;
  readonly giveBack: (bytes: number) => void;
}

/**
 * Holds lines of text on the disk. The file is unlinked at once, so the operating system deletes it when the process
 * ends for any reason.
 */
export class TemporaryFile {
  #file: FileHandle | undefined;
  #bytes = 0;
  #granted = 0;

  constructor(
    private readonly folder: string,
    /** The address that sends the import. */
    readonly client: string,
    private readonly share: DiskShare,
  ) {}

  /**
   * @param line has no line feed
   * @throws DatabaseFault when the disk is full, or no file can be opened
   * @throws TooLittleSpace when its client, or all clients together, would take more than their part of the disk
   */
  async add(line: string): Promise<void> {
    const bytes = Buffer.from(`${line}\n`);
    this.#bytes += bytes.length;
    if (this.#bytes > this.#granted) this.#granted += await this.share.grant(this.#bytes - this.#granted);
    try {
      this.#file ??= await openUnlinked(join(this.folder, `.import-${randomUUID()}`));
      await this.#file.appendFile(bytes);
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
    this.share.giveBack(this.#granted);
    await this.#file?.close();
  }
}

async function openUnlinked(path: string): Promise<FileHandle> {
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}

/** They answer 503, as the same faults of the database do. */
const KINDS: Readonly<Record<string, DatabaseFault['kind']>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EMFILE: 'busy',
  ENFILE: 'busy',
};
