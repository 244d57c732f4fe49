import type { Request } from 'express';
import type { TemporaryFile } from '../../temporary-files/temporary-files.js';

/** How many bytes of an import wait in memory, about. The others wait in its file. */
const MEMORY_BYTES = 262_144;
/** While so many wait, the connection is read slowly: a piece of about 64 KiB each interval, in milliseconds. */
const READ_SLOWLY_MS = 5;

/**
 * The chunks of a body that have arrived, and that its reader has not taken, in their order: the first ones in memory, the others in a file.
 *
 * Node does not notice that a client has gone while it does not read its connection, which holds some 4 to 10 MiB. The work on
 * an import of short lines would go on for many seconds. So the connection of an import is read on while its reader is busy.
 * That of another body waits for its reader: there is little work on a body of MAX_BODY_BYTES.
 */
export class UnreadChunks {
  readonly #inMemory: Buffer[] = [];
  #bytesInMemory = 0;
  /** The bytes that were added to the file, until all of them are taken. */
  #fileBytes = 0;
  #takenFileBytes = 0;
  /** When the file has all of them. Rejects with the fault of the first change of the file that fails. */
  #fileIsReady: Promise<void> = Promise.resolve();
  /** The changes of the file that are not done. */
  #fileChanges = 0;
  #readingSlowly: NodeJS.Timeout | undefined;
  #isComplete = false;
  #isClosed = false;
  /** Lets the reader go on, which waits for a chunk or for the end. */
  #wakeReader: (() => void) | undefined;

  /**
   * @param file of an import; undefined for another body
   * @param onFault gets the error when a chunk cannot be kept
   */
  constructor(
    private readonly request: Request,
    private readonly file: TemporaryFile | undefined,
    private readonly onFault: (error: Error) => void,
  ) {}

  add(chunk: Buffer): void {
    const { file } = this;
    if (file && this.#isMemoryFull) {
      this.#fileBytes += chunk.length;
      this.#changeFile(() => file.append(chunk));
    } else {
      this.#inMemory.push(chunk);
      this.#bytesInMemory += chunk.length;
    }
    if (!file || this.#isMemoryFull) this.#readSlowly();
    this.#wakeReader?.();
  }

  /** Call it when the last chunk was added. */
  complete(): void {
    this.#isComplete = true;
    this.#wakeReader?.();
  }

  /** @returns undefined at the end, or when it was closed @throws TooLittleSpace, TooBusy */
  async take(): Promise<Buffer | undefined> {
    while (!this.#isClosed) {
      const chunk = this.#inMemory.shift();
      if (chunk) {
        this.#bytesInMemory -= chunk.length;
        return chunk;
      }
      if (this.#fileBytes > 0) return this.#takeFromFile(this.file!);
      if (this.#isComplete) return undefined;
      this.#readOn();
      await new Promise<void>((resolve) => (this.#wakeReader = resolve));
    }
    return undefined;
  }

  /** Forgets all chunks. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#readingSlowly);
    this.#inMemory.length = 0;
    this.#wakeReader?.();
    const { file } = this;
    if (!file) return;
    const close = (): Promise<void> => file.close();
    // The file has no name any more: there is nothing to do when it cannot be closed.
    this.#fileIsReady.then(close, close).catch(() => undefined);
  }

  /** Whether the next chunk goes to the file. All chunks of the file are taken first. */
  get #isMemoryFull(): boolean {
    return this.#bytesInMemory >= MEMORY_BYTES || this.#fileBytes > 0;
  }

  async #takeFromFile(file: TemporaryFile): Promise<Buffer> {
    await this.#fileIsReady;
    const chunk = await file.read(this.#takenFileBytes);
    if (chunk.length === 0) throw new Error('A temporary file is shorter than what was written to it.');
    this.#takenFileBytes += chunk.length;
    if (this.#takenFileBytes === this.#fileBytes) {
      this.#takenFileBytes = 0;
      this.#fileBytes = 0;
      this.#changeFile(() => file.clear());
    }
    return chunk;
  }

  /** Changes the file after all changes before. */
  #changeFile(change: () => Promise<void>): void {
    this.#fileChanges += 1;
    this.#fileIsReady = this.#fileIsReady.then(change);
    this.#fileIsReady.then(() => (this.#fileChanges -= 1), this.onFault);
  }

  #readSlowly(): void {
    this.request.pause();
    if (!this.file) return;
    this.#readingSlowly ??= setInterval(() => {
      // The request is paused, and this reads one piece.
      if (this.#fileChanges === 0) this.request.read();
    }, READ_SLOWLY_MS);
  }

  #readOn(): void {
    clearInterval(this.#readingSlowly);
    this.#readingSlowly = undefined;
    this.request.resume();
  }
}
