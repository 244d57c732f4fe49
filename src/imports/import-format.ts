import { decodeJsonBody } from '../http/request/json-body.js';
import { decodeLargeJsonBody } from '../http/request/large-json-body.js';
import type { Line, LineEnds } from '../http/request/lines.js';
import { LARGE_BYTES } from '../http/request/slices.js';
import type { NewPost } from '../posts/post.entity.js';
import { readBody } from '../http/request/input-reader.js';
import type { InputFault } from '../problem-details/input-fault.js';
import { InvalidRequest } from '../problem-details/problems.js';
import { CreatePostDto, toNewPost } from '../posts/dto/post.dto.js';

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

/** The post that the fields of a line make, by the rules of a post that is sent alone. @throws InvalidRequest */
export function toPost(fields: Record<string, unknown>, now: string): NewPost {
  const faults: InputFault[] = [];
  const post = readBody(CreatePostDto, { kind: 'fields', fields }, faults);
  if (faults.length > 0) throw new InvalidRequest(faults);
  return toNewPost(post, now);
}

/** The faults of a line, each with the line's number. */
export function faultsOfLine(line: number, error: InvalidRequest): (InputFault & { line: number })[] {
  return (error.errors ?? []).map(({ detail, code, ...rest }) => ({ detail, code, line, ...rest }));
}
