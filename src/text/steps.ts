/** Longer texts are read in pieces of this many bytes or UTF-16 units, each of which takes less than a millisecond. */
export const PIECE_LENGTH = 65_536;

/** Work on a text that may be long. It yields after each {@link PIECE_LENGTH}, so short texts take one step. */
export type Steps<Result> = Generator<undefined, Result>;

/** Does work that is known to be short, such as on a query, or that holds up no other request. */
export function atOnce<Result>(work: Steps<Result>): Result {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** Decodes UTF-8 that is valid. Beyond ASCII, 16 MiB at once would take 0.15 s. */
export function* decodeUtf8(bytes: Buffer): Steps<string> {
  if (bytes.length <= PIECE_LENGTH) return bytes.toString();
  const pieces: string[] = [];
  for (const piece of utf8Pieces(bytes)) {
    pieces.push(piece.toString());
    yield;
  }
  return pieces.join('');
}

/** Divides UTF-8 between characters. */
export function* utf8Pieces(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length;) {
    let end = Math.min(start + PIECE_LENGTH, bytes.length);
    // A character continues with up to three bytes.
    for (let most = 3; most > 0 && end < bytes.length && isContinuation(bytes[end]!); most -= 1) end -= 1;
    yield bytes.subarray(start, end);
    start = end;
  }
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}
