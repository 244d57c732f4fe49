import { inPieces, LongTextJson } from '../../turns/index.js';
import { escapeJson } from '../../text/escape-json.js';
import { ListedPostDto, PostDto } from '../dto/post.dto.js';
import { type ListField, shownFields } from '../lists/list-fields.js';
import type { Post } from '../post.entity.js';

/** The JSON of a post. That of a large one is written while it is sent. */
export function postJson(post: Post): string | LongTextJson {
  const content = PostDto.from(post);
  return LongTextJson.of(content) ?? JSON.stringify(content);
}

/** A body that is empty, in JSON. In the title before it, the quotes would be escaped. */
const EMPTY_BODY = '"body":""';

/** Writes a post of a list in pieces. @param fields the requested ones, of which the body is one */
export async function* listedPostPieces(
  post: Post,
  fields: readonly ListField[] | undefined,
  client: string,
): AsyncGenerator<string> {
  const content = Object.assign(ListedPostDto.from(post), { body: '' });
  const empty = JSON.stringify(content, [...shownFields(fields)]);
  const bodyStart = empty.indexOf(EMPTY_BODY) + EMPTY_BODY.length - 1;
  yield empty.slice(0, bodyStart);
  yield* inPieces(post.body, escapeJson, client);
  yield empty.slice(bodyStart);
}
