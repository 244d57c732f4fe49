/** How many chunks wait before they become one: a body sent byte by byte must not cost an object a byte. */
const CHUNKS_PER_BLOCK = 1024;

/** Collects chunks of any size and number, copying each byte at most twice. */
export class ByteCollector {
  length = 0;
  #blocks: Buffer[] = [];
  #recent: Buffer[] = [];

  add(chunk: Buffer): void {
    this.length += chunk.length;
    this.#recent.push(chunk);
    if (this.#recent.length === CHUNKS_PER_BLOCK) {
      this.#blocks.push(Buffer.concat(this.#recent));
      this.#recent = [];
    }
  }

  toBuffer(): Buffer {
    const chunks = [...this.#blocks, ...this.#recent];
    return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, this.length);
  }
}
