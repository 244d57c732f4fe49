/** How many bodies of the largest size fit at once; while they are being worked on, each takes some times its size. */
const LARGEST_BODIES = 4;
/** With a small MAX_BODY_BYTES it is the number of clients that fills the memory. */
const MIN_BYTES = 64 * 1_024 * 1_024;

/**
 * Bounds the bytes of all bodies together. Of requests, from their arrival until the request is answered: those that are
 * being read, and those that wait for the database. Of answers, until the client has read them.
 */
export class BodyMemory {
  readonly #maxBytes: number;
  #usedBytes = 0;

  constructor(maxBodyBytes: number) {
    this.#maxBytes = Math.max(LARGEST_BODIES * maxBodyBytes, MIN_BYTES);
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** @returns false when there is no room for so many more; alone, anything may have its way */
  take(bytes: number): boolean {
    if (this.#usedBytes > 0 && this.#usedBytes + bytes > this.#maxBytes) return false;
    this.#usedBytes += bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#usedBytes -= bytes;
  }
}

/** What one request holds of the memory. */
export class HeldBytes {
  #bytes = 0;

  constructor(private readonly memory: BodyMemory) {}

  /** @returns false when there is no room for so many more */
  take(bytes: number): boolean {
    const fits = this.memory.take(bytes);
    if (fits) this.#bytes += bytes;
    return fits;
  }

  release(): void {
    this.memory.giveBack(this.#bytes);
    this.#bytes = 0;
  }
}
