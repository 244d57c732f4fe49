import { decodeJsonBody } from '../http/request/json-body.js';
import { decodeLargeJsonBody } from '../http/request/large-json-body.js';
import type { Line, LineEnds } from '../http/request/lines.js';
import { LARGE_BYTES } from '../http/request/slices.js';
import type { NewPost } from '../posts/posts.repository.js';
import { toPost } from './import-line.js';

/** How an import is written. */
export interface ImportFormat {
  /** Where a line ends; by default with every line feed. */
  readonly lineEnds?: LineEnds;
  /**
   * Takes the line for what it says of all that follow, if it is such a line.
   *
   * @throws InvalidRequest when nothing that follows can be read
   */
  readHeader?(line: Line): boolean;
  /** Reads a line by the rules of a post that is sent alone. @param now its date when it has none @throws InvalidRequest */
  readPost(line: Line, now: string): NewPost | Promise<NewPost>;
}

/** A JSON object a line. */
export const ndjsonFormat: ImportFormat = {
  readPost({ bytes }, now) {
    if (bytes.length > LARGE_BYTES) return decodeLargeJsonBody(bytes).then((fields) => toPost(fields, now));
    return toPost(decodeJsonBody(bytes), now);
  },
};
