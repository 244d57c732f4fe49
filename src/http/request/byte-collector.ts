/** Merges this many chunks into one block, so a body sent byte by byte does not cost an object per byte. */
const CHUNKS_PER_BLOCK = 1024;

/** Collects chunks of any size and copies each byte at most twice. */
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

/** Removes a byte order mark, which editors on Windows put before UTF-8 (RFC 8259 §8.1 allows ignoring it). */
export function withoutByteOrderMark(bytes: Buffer): Buffer {
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return isMarked ? bytes.subarray(3) : bytes;
}
