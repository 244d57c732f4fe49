import { ListedPostDto, PostDto } from '../dto/post.dto.js';
import { type ListField, shownFields } from '../lists/list-fields.js';
import type { Post } from '../post.entity.js';
import { inPieces, PIECE_LENGTH } from './large-text.js';

/** The end of a post whose body is empty: a body is the last field. */
const EMPTY_END = '"}';

/** A JSON text that is written while it is sent. */
export interface PostStream {
  chunks(): AsyncGenerator<string>;
  /** The bytes that it holds until then. */
  readonly heldBytes: number;
}

/** The JSON of a post. That of a large one is a stream, of which nothing is written for HEAD and 304. */
export function postJson(post: Post): string | PostStream {
  if (post.body.length <= PIECE_LENGTH) return JSON.stringify(PostDto.from(post));
  return { chunks: () => piecesOf(post), heldBytes: Buffer.byteLength(post.body) };
}

async function* piecesOf(post: Post): AsyncGenerator<string> {
  const { id, title, pubDate, body } = post;
  yield JSON.stringify(PostDto.from({ id, title, pubDate, body: '' })).slice(0, -EMPTY_END.length);
  yield* inPieces(body, escapeJson);
  yield EMPTY_END;
}

/** A body that is empty, in JSON. In the title before it, the quotes would be escaped. */
const EMPTY_BODY = '"body":""';

/** Writes a post of a list in pieces. @param fields the requested ones, of which the body is one */
export async function* listedPostPieces(
  post: Post,
  fields: readonly ListField[] | undefined,
): AsyncGenerator<string> {
  const empty = JSON.stringify(Object.assign(ListedPostDto.from(post), { body: '' }), [
    ...shownFields(fields),
  ]);
  const bodyStart = empty.indexOf(EMPTY_BODY) + EMPTY_BODY.length - 1;
  yield empty.slice(0, bodyStart);
  yield* inPieces(post.body, escapeJson);
  yield empty.slice(bodyStart);
}

/** Escapes a part of a text as JSON, without the quotes around it. */
function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
