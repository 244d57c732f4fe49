import { JSON_TYPE } from '../../http/protocol/media-type.js';
import { escapeJson, SlicedText } from '../../http/request/slices.js';
import { POST_FIELDS, PostDto } from '../dto/post.dto.js';
import type { Post } from '../post.entity.js';
import type { PostListRepresentation } from './post-list-representation.js';

/** A bare array; paging is in the `Link` field. */
export const json: PostListRepresentation = {
  mediaType: JSON_TYPE,
  contentType: JSON_TYPE,
  page: (posts, { fields }) =>
    JSON.stringify(
      fields
        ? posts.map((post) => PostDto.fromPart(post, fields))
        : posts.map((post) => PostDto.from(post as Post)),
    ),
  format: (_posts, { fields }) => ({
    head: '[',
    separator: ',',
    tail: ']',
    post: (post) => JSON.stringify(fields ? PostDto.fromPart(post, fields) : PostDto.from(post as Post)),
    largePost: (post) => slicedJson(PostDto.fromPart(post, fields ?? POST_FIELDS)),
  }),
};

/** The same as `JSON.stringify`, of a post with a large body. */
export function slicedJson(post: Partial<PostDto>, lineEnd = ''): SlicedText {
  // The body is the last member.
  const withoutBody = JSON.stringify({ ...post, body: '' });
  return new SlicedText(withoutBody.slice(0, -2), post.body!, escapeJson, `"}${lineEnd}`);
}
