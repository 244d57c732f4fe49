const EMPTY = Buffer.alloc(0);

/** Collects chunks of any size in one buffer that grows, so a body sent byte by byte does not cost an object per byte. */
export class ByteCollector {
  length = 0;
  #bytes: Buffer = EMPTY;

  add(chunk: Buffer): void {
    const length = this.length + chunk.length;
    if (this.length === 0) {
      this.#bytes = chunk;
    } else {
      if (length > this.#bytes.length) {
        const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#bytes.length));
        this.#bytes.copy(larger, 0, 0, this.length);
        this.#bytes = larger;
      }
      chunk.copy(this.#bytes, this.length);
    }
    this.length = length;
  }

  toBuffer(): Buffer {
    return this.#bytes.subarray(0, this.length);
  }
}
