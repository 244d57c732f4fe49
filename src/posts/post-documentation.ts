import type { Type } from '@nestjs/common';
import {
  ATOM_TYPE,
  CSV_TYPE,
  FORM_TYPE,
  JSON_TYPE,
  MULTIPART_TYPE,
  NDJSON_TYPE,
} from '../http/protocol/media-type.js';
import { COMPONENT_NAME, type Example, type Parameter } from '../openapi/document-types.js';
import { IF_MATCH, IF_UNMODIFIED_SINCE } from '../openapi/header-fields.js';
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
import * as examples from './post-examples.js';

const ENCODINGS =
  'The body may be compressed by `gzip`, `deflate` or `br` (`Content-Encoding`). Unknown fields are refused.';
const REPLACEMENT_BODY_DESCRIPTION = `A post as JSON or as a form; all three media types are equivalent. ${ENCODINGS}`;
const NEW_POST_BODY_DESCRIPTION =
  'A post as JSON or as a form: `application/json` and the two form types are equivalent. Or any number of posts as ' +
  `\`application/x-ndjson\` or \`text/csv\`. ${ENCODINGS}`;

export const IF_MATCH_ADVICE =
  'Send the ETag of the post that you read in `If-Match`, to detect a change by another client.';

/** On a write, the field has the opposite purpose of that on a read (RFC 9110 §13.1.2). */
const IF_NONE_MATCH_ON_WRITE: Parameter = {
  [COMPONENT_NAME]: 'If-None-Match-on-write',
  name: 'If-None-Match',
  in: 'header',
  description:
    '`*`, or the ETag of a version that the post must not have. If it has that version, the response is 412.',
  schema: { type: 'string', examples: ['*'] },
};

export const PRECONDITIONS = [IF_MATCH, IF_UNMODIFIED_SINCE, IF_NONE_MATCH_ON_WRITE];

export const POST_AS_JSON: ContentDocs = {
  [JSON_TYPE]: { type: PostDto, examples: { post: { summary: 'A post', value: examples.WALK } } },
};

export const REPLACED: ResponseDocs = {
  description: 'The stored post. A replacement that changes nothing keeps the ETag.',
  headers: ['ETag', 'Last-Modified', 'Cache-Control', 'Vary', 'Content-Encoding'],
  content: POST_AS_JSON,
};

export const REPLACED_MINIMAL: ResponseDocs = {
  description: 'The post is replaced; the request has `Prefer: return=minimal`.',
  headers: ['ETag', 'Last-Modified', 'Cache-Control', 'Vary', 'Preference-Applied'],
};

export const DELETED: ResponseDocs = { description: 'The post is deleted.' };

export const REPLACEMENT_BODY = {
  description: REPLACEMENT_BODY_DESCRIPTION,
  content: bodies(ReplacePostDto, ReplacePostForm, {
    replacement: {
      summary: 'A replacement that keeps the date',
      value: { title: examples.WALK.title, body: 'The heron has moved.' },
    },
    asRead: { summary: 'A post as it was read', value: examples.WALK },
  }),
};

export const POST_PAGE: NonNullable<OperationDocs['representation']> = {
  description: 'A page of posts. With `fields`, the posts have only these fields.',
  headers: ['Last-Modified', 'Link', 'X-Total-Count', 'Preference-Applied'],
  content: {
    [JSON_TYPE]: {
      type: [PostDto],
      or: [PartialPostDto],
      examples: {
        twoPosts: { summary: 'The newest posts', value: [examples.WALK, examples.HELLO] },
        none: { summary: 'No posts', value: [] },
      },
    },
    [NDJSON_TYPE]: {
      type: {
        type: 'string',
        description:
          'One post a line. Without `limit`, all selected posts. `application/jsonl` and `application/ndjson` in `Accept` mean the same.',
      },
      example: examples.POSTS_AS_NDJSON,
    },
    [CSV_TYPE]: {
      type: {
        type: 'string',
        description: 'RFC 4180, in UTF-8, with a header row. Without `limit`, all selected posts.',
      },
      example: examples.POSTS_AS_CSV,
    },
    [ATOM_TYPE]: {
      type: { type: 'string', description: 'A feed of the page (RFC 4287).' },
      example: examples.POSTS_AS_ATOM,
    },
  },
};

const { id: _id, ...FIELDS } = examples.WALK;

export const NEW_POST_BODY = {
  description: NEW_POST_BODY_DESCRIPTION,
  content: {
    ...bodies(CreatePostDto, CreatePostForm, {
      post: { summary: 'A post', value: FIELDS },
      undated: {
        summary: 'A post dated now',
        value: { title: 'Just now', body: 'Without a pub_date it is of now.' },
      },
    }),
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
      example: examples.POSTS_AS_CSV,
    },
  } satisfies ContentDocs,
};

export const CREATED: ResponseDocs = {
  description:
    'The stored post. For an import: the number of stored posts, and their lowest and highest id, without an ETag. With `Prefer: return=minimal` there is no body.',
  headers: [
    'Location',
    'Idempotency-Replayed',
    'Preference-Applied',
    'ETag',
    'Last-Modified',
    'Cache-Control',
    'Vary',
    'Content-Encoding',
  ],
  content: {
    [JSON_TYPE]: {
      type: PostDto,
      or: ImportResultDto,
      examples: {
        post: { summary: 'A post', value: examples.WALK },
        imported: { summary: 'An import', value: { created: 2, first_id: 8, last_id: 9 } },
      },
    },
  },
};

function bodies(json: Type, form: Type, samples: Readonly<Record<string, Example>>): ContentDocs {
  return {
    [JSON_TYPE]: { type: json, examples: samples },
    [FORM_TYPE]: { type: form },
    [MULTIPART_TYPE]: { type: form },
  };
}
