import type { Type } from '@nestjs/common';
import { HTML_TYPE, JSON_TYPE, NDJSON_TYPE } from '../http/protocol/index.js';
import {
  CreatePostDto,
  CreatePostForm,
  PartialPostDto,
  PostDto,
  ReplacePostDto,
  ReplacePostForm,
} from './dto/post.dto.js';
import { ATOM_TYPE } from './formats/atom.js';
import { CSV_TYPE, LIST_REPRESENTATIONS } from './formats/list-representations.js';

/** A post for the examples of the OpenAPI document, in each media type. */
export const WALK: PostDto = {
  id: 7,
  title: 'A walk along the river',
  pub_date: '2026-11-21T08:05:00.000Z',
  body: 'Fog in the morning, sun by noon.',
};

export const AS_NDJSON = `${JSON.stringify(WALK)}\n`;
export const AS_CSV = `id,title,pub_date,body\r\n7,${WALK.title},${WALK.pub_date},"${WALK.body}"\r\n`;
const AS_ATOM = `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>urn:uuid:3f0c5d0e-6c1b-5c6e-9a57-0d7a0e1b8f11</id>
  <title>Posts</title>
  <updated>${WALK.pub_date}</updated>
</feed>
`;

/** A body that is a text. */
export function text(description: string, example: string) {
  return { type: { type: 'string', description }, example };
}

export const ENCODINGS =
  'The body may be compressed by `gzip`, `deflate` or `br` (`Content-Encoding`). Unknown fields are refused.';
export const IF_MATCH_ADVICE =
  'Send the ETag of the post that you read in `If-Match`, to detect a change by another client.';

const PRECONDITIONS = ['If-Match', 'If-Unmodified-Since', 'If-None-Match'] as const;

export const POST_AS_JSON = { [JSON_TYPE]: { type: PostDto, example: WALK } };

/** What the replacement of a post declares, by its path and by the path of the collection. */
export const REPLACEMENT = {
  parameters: PRECONDITIONS,
  body: {
    description: `A post as JSON or as a form; all three media types are equivalent. ${ENCODINGS}`,
    content: bodies(ReplacePostDto, ReplacePostForm, { title: WALK.title, body: 'The heron has moved.' }),
  },
  responses: {
    200: {
      description: 'The stored post. A replacement that changes nothing keeps the ETag.',
      headers: ['ETag', 'Last-Modified'],
      content: POST_AS_JSON,
    },
  },
  problems: [404, 412],
} as const;

/** What the deletion of a post declares, by its path and by the path of the collection. */
export const DELETION = {
  parameters: PRECONDITIONS,
  responses: { 204: { description: 'The post is deleted.' } },
  problems: [404, 412],
} as const;

export const POST_PAGE = {
  description: 'A page of posts. With `fields`, the posts have only these fields.',
  headers: ['Last-Modified', 'Link', 'X-Total-Count', 'Preference-Applied'],
  content: {
    [JSON_TYPE]: { type: [PostDto], or: [PartialPostDto], example: [WALK] },
    [NDJSON_TYPE]: text(
      'One post a line. Without `limit`, all selected posts. `application/jsonl` and `application/ndjson` in `Accept` mean the same.',
      AS_NDJSON,
    ),
    [CSV_TYPE]: text('RFC 4180, in UTF-8, with a header row. Without `limit`, all selected posts.', AS_CSV),
    [ATOM_TYPE]: text('A feed of the page (RFC 4287).', AS_ATOM),
  },
} as const;

const { id: _id, ...FIELDS } = WALK;

export const NEW_POST_BODY = {
  description: 'A post as JSON or as a form: `application/json` and the two form types are equivalent.',
  content: bodies(CreatePostDto, CreatePostForm, FIELDS),
};

export const CREATED = {
  description: 'The stored post.',
  headers: ['Location', 'Idempotency-Replayed', 'ETag', 'Last-Modified'],
  content: POST_AS_JSON,
} as const;

/** The browsable form is Swagger UI, opened at the operation of the same path. */
const formOf = (operationId: string) => ({
  mediaType: HTML_TYPE,
  seeOther: `/docs/#/posts/${operationId}`,
});

export const LIST_PRODUCES = [...LIST_REPRESENTATIONS, formOf('listPosts')];
export const POST_PRODUCES = [{ mediaType: JSON_TYPE }, formOf('getPost')];

function bodies(json: Type, form: Type, example: object) {
  return {
    [JSON_TYPE]: { type: json, example },
    'application/x-www-form-urlencoded': { type: form },
    'multipart/form-data': { type: form },
  };
}
