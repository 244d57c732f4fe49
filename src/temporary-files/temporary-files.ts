import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, statfs, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ServiceUnavailable, TooBusy } from '../problem-details/index.js';
import { type Settings, SETTINGS } from '../settings/settings.js';

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
@Injectable()
export class TemporaryFiles {
  readonly #folder: string;
  /** The bytes that the open files of each client may take. */
  readonly #granted = new Map<string, number>();
  #total = 0;

  constructor(@Inject(SETTINGS) { database }: Pick<Settings, 'database'>) {
    // The folder of the database has the space for an import; a database server's folder is elsewhere.
    this.#folder = database.kind === 'sqlite' ? dirname(database.path) : tmpdir();
  }

  /** @param client the address that sends the import */
  open(client: string): TemporaryFile {
    return new TemporaryFile(this.#folder, {
      grant: (bytes) => this.#grant(client, bytes),
      giveBack: (bytes) => this.#giveBack(client, bytes),
    });
  }

  /** @returns how many bytes more the client may write, at least as many as it needs @throws TooLittleSpace */
  async #grant(client: string, needed: number): Promise<number> {
    const { bavail, bsize } = await statfs(this.#folder);
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
 * Holds bytes on the disk. The file is created when it gets the first ones, and unlinked at once, so the operating system
 * deletes it when the process ends for any reason. Call `append`, `clear` and `close` one after the other.
 */
export class TemporaryFile {
  #file: FileHandle | undefined;
  #bytes = 0;
  #granted = 0;

  constructor(
    private readonly folder: string,
    private readonly share: DiskShare,
  ) {}

  /**
   * @throws TooLittleSpace when its client, or all clients together, would take more than their part of the disk
   * @throws TooBusy when the process has too many files open
   */
  async append(bytes: Buffer): Promise<void> {
    this.#bytes += bytes.length;
    if (this.#bytes > this.#granted) this.#granted += await this.share.grant(this.#bytes - this.#granted);
    try {
      this.#file ??= await openUnlinked(join(this.folder, `.import-${randomUUID()}`));
      await this.#file.appendFile(bytes);
    } catch (error) {
      const Refusal = REFUSALS[(error as NodeJS.ErrnoException).code ?? ''];
      throw Refusal ? new Refusal(undefined, { cause: error }) : error;
    }
  }

  /** @param start the index of its first byte @returns at most 64 KiB; empty at the end of the file */
  async read(start: number): Promise<Buffer> {
    if (!this.#file) return Buffer.alloc(0);
    const buffer = Buffer.allocUnsafe(READ_BYTES);
    const { bytesRead } = await this.#file.read(buffer, 0, READ_BYTES, start);
    return buffer.subarray(0, bytesRead);
  }

  /** All bytes in their order. They can be read several times. */
  async *chunks(): AsyncGenerator<Buffer> {
    let start = 0;
    for (;;) {
      const chunk = await this.read(start);
      if (chunk.length === 0) return;
      start += chunk.length;
      yield chunk;
    }
  }

  /** Removes all bytes. Their part of the disk stays that of the file. */
  async clear(): Promise<void> {
    this.#bytes = 0;
    await this.#file?.truncate();
  }

  async close(): Promise<void> {
    this.share.giveBack(this.#granted);
    this.#granted = 0;
    await this.#file?.close();
  }
}

/** The file is for reading, and for appending. */
async function openUnlinked(path: string): Promise<FileHandle> {
  const file = await open(path, 'ax+', 0o600);
  await unlink(path);
  return file;
}

/** Both are 503, as the faults of the database for the same causes are. */
const REFUSALS: Readonly<Record<string, typeof TooLittleSpace | typeof TooBusy>> = {
  ENOSPC: TooLittleSpace,
  EDQUOT: TooLittleSpace,
  EFBIG: TooLittleSpace,
  EMFILE: TooBusy,
  ENFILE: TooBusy,
};
