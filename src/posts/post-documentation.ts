import type { Type } from '@nestjs/common';
import {
  ATOM_TYPE,
  CSV_TYPE,
  FORM_TYPE,
  JSON_TYPE,
  MULTIPART_TYPE,
  NDJSON_TYPE,
} from '../http/protocol/media-type.js';
import type { ParameterName } from '../openapi/header-fields.js';
import type { ContentDocs, OperationDocs, ResponseDocs } from '../openapi/operation-docs.js';
import {
  CreatePostDto,
  CreatePostForm,
  ImportResultDto,
  PartialPostDto,
  PostDto,
  ReplacePostDto,
  ReplacePostForm,
} from './dto/post.dto.js';

/** Posts for the examples of the OpenAPI document. */
const HELLO: PostDto = {
  id: 1,
  title: 'Hello, world',
  pub_date: '2026-11-20T14:40:00.000Z',
  body: 'The first post of this blog.\nMore will follow.',
};
const WALK: PostDto = {
  id: 7,
  title: 'A walk along the river',
  pub_date: '2026-11-21T08:05:00.000Z',
  body: 'Fog in the morning, sun by noon, and a heron that would not move.',
};

const POSTS_AS_NDJSON = [WALK, HELLO].map((post) => `${JSON.stringify(post)}\n`).join('');

const POSTS_AS_CSV = `id,title,pub_date,body\r
7,A walk along the river,2026-11-21T08:05:00.000Z,"Fog in the morning, sun by noon, and a heron that would not move."\r
1,"Hello, world",2026-11-20T14:40:00.000Z,"The first post of this blog.
More will follow."\r
`;

const POSTS_AS_ATOM = `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>urn:uuid:3f0c5d0e-6c1b-5c6e-9a57-0d7a0e1b8f11</id>
  <title>Posts</title>
  <updated>2026-11-20T14:40:00.000Z</updated>
  <author><name>Posts Service</name></author>
  <link rel="alternate" type="text/html" href="http://127.0.0.1:3000/posts/"/>
  <entry>
    <id>urn:uuid:8d2f9f0a-1f2e-5b3a-8c4d-5e6f7a8b9c0d</id>
    <title>Hello, world</title>
    <published>2026-11-20T14:40:00.000Z</published>
    <updated>2026-11-20T14:40:00.000Z</updated>
    <link rel="alternate" type="text/html" href="http://127.0.0.1:3000/posts/1/"/>
    <content type="text">The first post of this blog.</content>
  </entry>
</feed>
`;

const ENCODINGS =
  'The body may be compressed by `gzip`, `deflate` or `br` (`Content-Encoding`). Unknown fields are refused.';
const REPLACEMENT_BODY_DESCRIPTION = `A post as JSON or as a form; all three media types are equivalent. ${ENCODINGS}`;
const NEW_POST_BODY_DESCRIPTION =
  'A post as JSON or as a form: `application/json` and the two form types are equivalent. Or any number of posts as ' +
  `\`application/x-ndjson\` or \`text/csv\`. ${ENCODINGS}`;

export const IF_MATCH_ADVICE =
  'Send the ETag of the post that you read in `If-Match`, to detect a change by another client.';

export const PRECONDITIONS: readonly ParameterName[] = [
  'If-Match',
  'If-Unmodified-Since',
  'If-None-Match-on-write',
];

export const POST_AS_JSON: ContentDocs = {
  [JSON_TYPE]: { type: PostDto, example: WALK },
};

export const REPLACED: ResponseDocs = {
  description: 'The stored post. A replacement that changes nothing keeps the ETag.',
  headers: ['ETag', 'Last-Modified'],
  content: POST_AS_JSON,
};

export const REPLACED_MINIMAL: ResponseDocs = {
  description: 'The post is replaced; the request has `Prefer: return=minimal`.',
  headers: ['ETag', 'Last-Modified', 'Preference-Applied'],
};

export const DELETED: ResponseDocs = { description: 'The post is deleted.' };

export const REPLACEMENT_BODY = {
  description: REPLACEMENT_BODY_DESCRIPTION,
  content: bodies(ReplacePostDto, ReplacePostForm, { title: WALK.title, body: 'The heron has moved.' }),
};

export const POST_PAGE: NonNullable<OperationDocs['representation']> = {
  description: 'A page of posts. With `fields`, the posts have only these fields.',
  headers: ['Last-Modified', 'Link', 'Content-Disposition', 'X-Total-Count', 'Preference-Applied'],
  content: {
    [JSON_TYPE]: {
      type: [PostDto],
      or: [PartialPostDto],
      example: [WALK, HELLO],
    },
    [NDJSON_TYPE]: {
      type: {
        type: 'string',
        description:
          'One post a line. Without `limit`, all selected posts. `application/jsonl` and `application/ndjson` in `Accept` mean the same.',
      },
      example: POSTS_AS_NDJSON,
    },
    [CSV_TYPE]: {
      type: {
        type: 'string',
        description: 'RFC 4180, in UTF-8, with a header row. Without `limit`, all selected posts.',
      },
      example: POSTS_AS_CSV,
    },
    [ATOM_TYPE]: {
      type: { type: 'string', description: 'A feed of the page (RFC 4287).' },
      example: POSTS_AS_ATOM,
    },
  },
};

const { id: _id, ...FIELDS } = WALK;

export const NEW_POST_BODY = {
  description: NEW_POST_BODY_DESCRIPTION,
  content: {
    ...bodies(CreatePostDto, CreatePostForm, FIELDS),
    [NDJSON_TYPE]: {
      type: {
        type: 'string',
        description:
          'Any number of posts, one a line. All are stored, or none. Blank lines are skipped. `application/jsonl` and `application/ndjson` mean the same.',
      },
      example: '{"title":"One","body":""}\n{"title":"Two","body":""}\n',
    },
    [CSV_TYPE]: {
      type: {
        type: 'string',
        description:
          'Any number of posts, one a record. All are stored, or none. The first record names the columns, in any order; ' +
          '`title` and `body` are required. `id` is ignored, and an empty `pub_date` means now.',
      },
      example: POSTS_AS_CSV,
    },
  } satisfies ContentDocs,
};

export const CREATED: ResponseDocs = {
  description:
    'The stored post. For an import: the number of stored posts, and their lowest and highest id, without an ETag. With `Prefer: return=minimal` there is no body.',
  headers: ['Location', 'Idempotency-Replayed', 'Preference-Applied', 'ETag', 'Last-Modified'],
  content: {
    [JSON_TYPE]: { type: PostDto, or: ImportResultDto, example: WALK },
  },
};

function bodies(json: Type, form: Type, example: object): ContentDocs {
  return {
    [JSON_TYPE]: { type: json, example },
    [FORM_TYPE]: { type: form },
    [MULTIPART_TYPE]: { type: form },
  };
}
