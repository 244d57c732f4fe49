import { JSON_TYPE } from '../../http/media-types.js';
import { PostDto } from '../dto/post.dto.js';
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
  }),
};
