import type { Type } from '@nestjs/common';
import { getSchemaPath } from '@nestjs/swagger';
import {
  ATOM_TYPE,
  CSV_TYPE,
  FORM_TYPE,
  JSON_TYPE,
  MULTIPART_TYPE,
  NDJSON_TYPE,
} from '../http/media-types.js';
import { IdempotencyKeyInUse, IdempotencyKeyReused } from '../idempotency-keys/idempotency-keys.problems.js';
import type { Example, Parameter, Schema } from '../openapi/document-types.js';
import { type AnswerDocs, type ContentDocs, Documented } from '../openapi/documented.decorator.js';
import { DATABASE_BUSY, MALFORMED_IF_MATCH, UNKNOWN_PARAMETER } from '../openapi/problem-samples.js';
import { IDEMPOTENCY_KEY, IF_MATCH, PREFER_COUNT } from '../openapi/request-headers.js';
import { ListPostsQuery } from './dto/list-posts.query.js';
import { CreatePostDto, ReplacePostDto } from './dto/post-input.dto.js';
import { PostTargetQuery } from './dto/post-target.query.js';
import { PostDto } from './dto/post.dto.js';
import { CreatePostForm, ReplacePostForm } from './post-forms.docs.js';
import { MAX_POST_ID } from './post-id.js';
import * as samples from './post-samples.docs.js';

const BODY_DESCRIPTION =
  'The three media types mean the same. `gzip`, `deflate` and `br` are understood as `Content-Encoding`. Fields that are not known are refused.';
const IF_MATCH_ADVICE =
  'Send the ETag of what you have read in `If-Match`, and nobody else’s change is overwritten unseen.';

export const POST_ID: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The post. What cannot be an id, such as `007`, is not found.',
  schema: { type: 'integer', format: 'int64', minimum: 1, maximum: MAX_POST_ID, examples: [samples.WALK.id] },
};

/** On a write it means the opposite of what it saves on a read (RFC 9110 §13.1.2). */
const IF_NONE_MATCH_ON_WRITE: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  description: '`*`, or the ETag of what the post must not be: if it is, the answer is 412.',
  schema: { type: 'string', examples: ['*'] },
};

const PRECONDITIONS = [IF_MATCH, IF_NONE_MATCH_ON_WRITE];

const REPLACEMENTS = {
  replacement: {
    summary: 'A replacement that keeps the date',
    value: { title: samples.WALK.title, body: 'The heron has moved.' },
  },
  asRead: { summary: 'A post as it was read', value: samples.WALK },
};

const A_POST: ContentDocs = {
  [JSON_TYPE]: { type: PostDto, examples: { post: { summary: 'A post', value: samples.WALK } } },
};

const REPLACED: AnswerDocs = {
  description: 'The post as it is now. A replacement that changes nothing keeps its ETag.',
  headers: ['ETag', 'Cache-Control', 'Vary', 'Content-Encoding'],
  content: A_POST,
};

const REPLACE_BODY = {
  description: BODY_DESCRIPTION,
  content: bodies(ReplacePostDto, ReplacePostForm, REPLACEMENTS),
};

const TARGET_PROBLEMS = {
  malformedIfMatch: MALFORMED_IF_MATCH,
  postNotFound: samples.POST_NOT_FOUND,
  preconditionFailed: samples.PRECONDITION_FAILED,
  databaseBusy: DATABASE_BUSY,
};

export function DocumentsList(): MethodDecorator {
  return Documented({
    summary: 'List posts',
    description:
      'A page of posts, by default the newest. Follow the links in `Link` to read on: they keep all parameters. ' +
      'NDJSON and CSV stream all that is selected, as it is at one moment, unless there is a `limit`. ' +
      'What is not known, repeated or out of bounds is refused, never ignored.',
    query: ListPostsQuery,
    parameters: [PREFER_COUNT],
    representation: {
      description:
        'A page of posts. With `fields` the posts have only these fields: the `required` of the schema does not hold then.',
      headers: ['Link', 'X-Total-Count', 'Preference-Applied'],
      content: {
        [JSON_TYPE]: {
          type: [PostDto],
          examples: {
            twoPosts: { summary: 'The newest posts', value: [samples.WALK, samples.HELLO] },
            none: { summary: 'No posts', value: [] },
          },
        },
        [NDJSON_TYPE]: {
          type: { type: 'string', description: 'A post a line. Without `limit`, all that is selected.' },
          example: samples.POSTS_AS_NDJSON,
        },
        [CSV_TYPE]: {
          type: {
            type: 'string',
            description: 'RFC 4180, in UTF-8, with a header row. Without `limit`, all that is selected.',
          },
          example: samples.POSTS_AS_CSV,
        },
        [ATOM_TYPE]: {
          type: { type: 'string', description: 'A feed of the page (RFC 4287).' },
          example: samples.POSTS_AS_ATOM,
        },
      },
    },
    problems: { faultyQuery: samples.FAULTY_LIST_QUERY, databaseBusy: DATABASE_BUSY },
  });
}

const ID_OR_NULL = { type: ['integer', 'null'], minimum: 1 } as const;

/** What an import has stored. */
const IMPORT_RESULT = {
  type: 'object',
  required: ['created', 'first_id', 'last_id'],
  properties: { created: { type: 'integer', minimum: 0 }, first_id: ID_OR_NULL, last_id: ID_OR_NULL },
  additionalProperties: false,
} as unknown as Schema;

export function DocumentsCreate(): MethodDecorator {
  const { id: _id, ...fields } = samples.WALK;
  return Documented({
    summary: 'Store a post',
    description:
      'Choose `application/x-www-form-urlencoded` beside *Request body* for a form with one input for each field. ' +
      'The `id` is the service’s to assign: whatever is sent is ignored, so that a post that was read can be sent again.',
    parameters: [IDEMPOTENCY_KEY],
    body: {
      description: BODY_DESCRIPTION,
      content: {
        ...bodies(CreatePostDto, CreatePostForm, {
          post: { summary: 'A post', value: fields },
          undated: {
            summary: 'A post of now',
            value: { title: 'Just now', body: 'Without a pub_date it is of now.' },
          },
        }),
        [NDJSON_TYPE]: {
          type: {
            type: 'string',
            description: 'Any number of posts, one a line: all are stored, or none. Blank lines are skipped.',
          },
          example: '{"title":"One","body":""}\n{"title":"Two","body":""}\n',
        },
      },
    },
    answers: {
      201: {
        description:
          'The post as it was stored. Of an import: how many posts were stored, and their lowest and highest id; it has no ETag.',
        headers: ['Location', 'Idempotency-Replayed', 'ETag', 'Cache-Control', 'Vary', 'Content-Encoding'],
        content: {
          [JSON_TYPE]: {
            type: { oneOf: [{ $ref: getSchemaPath(PostDto) }, IMPORT_RESULT] },
            examples: {
              post: { summary: 'A post', value: samples.WALK },
              imported: { summary: 'An import', value: { created: 2, first_id: 8, last_id: 9 } },
            },
          },
        },
      },
    },
    problems: {
      faultyPost: samples.FAULTY_POST,
      unknownParameter: UNKNOWN_PARAMETER,
      malformedKey: samples.MALFORMED_KEY,
      keyInUse: new IdempotencyKeyInUse(),
      keyReused: new IdempotencyKeyReused(),
      databaseBusy: DATABASE_BUSY,
    },
  });
}

export function DocumentsRead(): MethodDecorator {
  return Documented({
    summary: 'Read a post',
    description: 'Its `ETag` names this very version of it.',
    parameters: [POST_ID],
    representation: { description: 'The post.', content: A_POST },
    problems: {
      unknownParameter: UNKNOWN_PARAMETER,
      postNotFound: samples.POST_NOT_FOUND,
      databaseBusy: DATABASE_BUSY,
    },
  });
}

export function DocumentsReplace(): MethodDecorator {
  return Documented({
    summary: 'Replace a post',
    description: `The post becomes what the body says; without a \`pub_date\` it keeps its own. ${IF_MATCH_ADVICE}`,
    parameters: [POST_ID, ...PRECONDITIONS],
    body: REPLACE_BODY,
    answers: { 200: REPLACED },
    problems: { faultyPost: samples.FAULTY_POST, unknownParameter: UNKNOWN_PARAMETER, ...TARGET_PROBLEMS },
  });
}

export function DocumentsReplaceByQuery(): MethodDecorator {
  return Documented({
    summary: 'Replace the post that the query or the body names',
    description:
      'As PUT on the path of the post. The `id` stands in the query, in the body, or in both and is the same; ' +
      `without any nothing is changed. ${IF_MATCH_ADVICE}`,
    query: PostTargetQuery,
    parameters: PRECONDITIONS,
    body: REPLACE_BODY,
    answers: { 200: REPLACED },
    problems: { missingId: samples.MISSING_ID, faultyPost: samples.FAULTY_POST, ...TARGET_PROBLEMS },
  });
}

export function DocumentsDelete(): MethodDecorator {
  return Documented({
    summary: 'Delete a post',
    description: IF_MATCH_ADVICE,
    parameters: [POST_ID, ...PRECONDITIONS],
    answers: { 204: { description: 'The post is gone.' } },
    problems: { unknownParameter: UNKNOWN_PARAMETER, ...TARGET_PROBLEMS },
  });
}

export function DocumentsDeleteByQuery(): MethodDecorator {
  return Documented({
    summary: 'Delete the post that the query names',
    description: `As DELETE on the path of the post. Without an \`id\` nothing is deleted. ${IF_MATCH_ADVICE}`,
    query: PostTargetQuery,
    parameters: PRECONDITIONS,
    answers: { 204: { description: 'The post is gone.' } },
    problems: { missingId: samples.MISSING_ID, ...TARGET_PROBLEMS },
  });
}

function bodies(json: Type, form: Type, examples: Readonly<Record<string, Example>>): ContentDocs {
  return {
    [JSON_TYPE]: { type: json, examples },
    [FORM_TYPE]: { type: form },
    [MULTIPART_TYPE]: { type: form },
  };
}
