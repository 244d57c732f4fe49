import { fieldsOf, readBody } from '../http/request/input-reader.js';
import type { InputFault } from '../problem-details/input-fault.js';
import { InvalidRequest } from '../problem-details/problems.js';
import { CreatePostDto } from '../posts/dto/post-input.dto.js';
import { toNewPost } from '../posts/dto/to-post.js';
import { isStorable, isTitle } from '../posts/post-text.js';
import type { NewPost } from '../posts/posts.repository.js';
import { parsePubDate } from '../posts/pub-date.js';

/** The post that the fields of a line make, by the rules of a post that is sent alone. @throws InvalidRequest */
export function toPost(fields: Record<string, unknown>, now: string): NewPost {
  return readSound(fields, now) ?? readAny(fields);
}

/** The faults of a line, each with the line's number. */
export function faultsOfLine(line: number, error: InvalidRequest): (InputFault & { line: number })[] {
  return (error.errors ?? []).map(({ detail, code, ...rest }) => ({ detail, code, line, ...rest }));
}

/** Nearly all lines have no fault, and are known not to have one at a tenth of the cost. */
function readSound(fields: Record<string, unknown>, now: string): NewPost | undefined {
  const { title, body, pub_date } = fields;
  if (typeof title !== 'string' || typeof body !== 'string') return undefined;
  if (!isTitle(title) || !isStorable(body)) return undefined;
  for (const name of Object.keys(fields)) {
    if (!fieldsOf(CreatePostDto).includes(name)) return undefined;
  }
  if (pub_date === undefined) return { title, body, pubDate: now };
  const pubDate = typeof pub_date === 'string' ? parsePubDate(pub_date) : undefined;
  return pubDate === undefined ? undefined : { title, body, pubDate };
}

function readAny(fields: Record<string, unknown>): NewPost {
  const faults: InputFault[] = [];
  const post = readBody(CreatePostDto, { kind: 'fields', fields }, faults);
  if (faults.length > 0) throw new InvalidRequest(faults);
  return toNewPost(post);
}
