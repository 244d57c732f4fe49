/** Removes a byte order mark, which editors on Windows put before UTF-8 (RFC 8259 §8.1 allows ignoring it). */
export function withoutByteOrderMark(bytes: Buffer): Buffer {
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return isMarked ? bytes.subarray(3) : bytes;
}
