import { NDJSON_TYPE } from '../../http/protocol/media-type.js';
import { POST_FIELDS, PostDto } from '../dto/post.dto.js';
import type { Post } from '../post.entity.js';
import { slicedJson } from './json.js';
import { type LineFormat, pageOfLines, type PostListRepresentation } from './post-list-representation.js';

/** A JSON object a line; JSON writes a line feed within a text as `\n`, so every line feed ends a post. */
const lines: LineFormat = {
  head: () => '',
  line: (post, fields) =>
    `${JSON.stringify(fields ? PostDto.fromPart(post, fields) : PostDto.from(post as Post))}\n`,
  largeLine: (post, fields) => slicedJson(PostDto.fromPart(post, fields ?? POST_FIELDS), '\n'),
};

export const ndjson: PostListRepresentation = {
  mediaType: NDJSON_TYPE,
  contentType: NDJSON_TYPE,
  format: pageOfLines(lines),
  lines,
};
