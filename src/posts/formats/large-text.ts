import { SharedTime } from '../../limits/shared-time.js';

/** Longer texts are written in pieces of this many UTF-16 units, each of which takes less than a millisecond. */
export const PIECE_LENGTH = 65_536;

/** The time for the writing of all large bodies, in whatever representation, for however many responses. */
const WRITING = new SharedTime(5);

/**
 * Writes a long text in pieces, between which other requests run. Written at once, 16 MiB of quotes or control characters
 * would stop them for 0.3 s.
 *
 * @param write must treat each character by itself
 */
export async function* inPieces(text: string, write: (piece: string) => string): AsyncGenerator<string> {
  for (let start = 0; start < text.length;) {
    const end = endOfPiece(text, start);
    const piece = text.slice(start, end);
    yield await WRITING.run(() => write(piece));
    start = end;
  }
}

/** A piece never ends within a surrogate pair, whose halves JSON would escape. */
function endOfPiece(text: string, start: number): number {
  const end = start + PIECE_LENGTH;
  const isWithinPair = end < text.length && (text.charCodeAt(end) & 0xfc_00) === 0xdc_00;
  return isWithinPair ? end - 1 : end;
}
