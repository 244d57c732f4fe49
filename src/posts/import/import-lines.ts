import { withoutByteOrderMark } from '../../http/body-bytes.js';
import { type Line, splitLines } from '../../http/lines.js';
import type { InputFault } from '../../problem-details/input-fault.js';
import { BodyTooLarge, InvalidRequest } from '../../problem-details/problems.js';
import type { NewPost } from '../posts.repository.js';
import { nowAsPubDate } from '../pub-date.js';
import { faultsOfLine, readImportLine } from './import-line.js';

/** So many faults are told of; the rest of the lines is not read for more. */
const MAX_FAULTS = 100;

/** What a line of an import holds: a post, or faults. */
export type ImportLine =
  | { readonly post: NewPost }
  | { readonly post: undefined; readonly faults: readonly (InputFault & { readonly line: number })[] };

/**
 * Reads the posts of NDJSON, one a line; blank lines are passed over. After the first hundred faults lines are only let
 * by: each of them is told of with nothing wrong, as a line that has faults without any.
 *
 * @throws BodyTooLarge when a line is
 */
export async function* readImportLines(
  body: AsyncIterable<Buffer>,
  maxLineBytes: number,
): AsyncGenerator<ImportLine> {
  const now = nowAsPubDate();
  let faults = 0;
  for await (const line of splitLines(body, maxLineBytes, () => new BodyTooLarge(maxLineBytes))) {
    if (isBlank(line)) continue;
    if (faults >= MAX_FAULTS) {
      yield { post: undefined, faults: [] };
      continue;
    }
    try {
      const post = readImportLine(line.bytes, now);
      yield { post: 'then' in post ? await post : post };
    } catch (error) {
      if (!(error instanceof InvalidRequest)) throw error;
      const found = faultsOfLine(line.number, error).slice(0, MAX_FAULTS - faults);
      faults += found.length;
      yield { post: undefined, faults: found };
    }
  }
}

/** Nothing but what JSON takes for white space, and a byte order mark at the start. */
function isBlank({ number, bytes }: Line): boolean {
  const text = number === 1 ? withoutByteOrderMark(bytes) : bytes;
  return text.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
