import type { Type } from '@nestjs/common';
import { ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import {
  ATOM_TYPE,
  CSV_TYPE,
  FORM_TYPE,
  JSON_TYPE,
  MULTIPART_TYPE,
  NDJSON_TYPE,
} from '../http/media-types.js';
import type { Example, Parameter } from '../openapi/document-types.js';
import { type AnswerDocs, type ContentDocs, Documented } from '../openapi/documented.decorator.js';
import { UNKNOWN_PARAMETER } from '../openapi/problem-samples.js';
import { IDEMPOTENCY_KEY, IF_MATCH, PREFER_COUNT } from '../openapi/request-headers.js';
import type { ResponseHeader } from '../openapi/response-headers.js';
import { ClosedSchema } from '../openapi/schema.decorator.js';
import { IdempotencyKeyInUse, IdempotencyKeyReused } from '../idempotency-keys/idempotency-keys.problems.js';
import { InvalidRequest, PreconditionFailed, ServiceUnavailable } from '../problem-details/problems.js';
import { ListPostsQuery } from './dto/list-posts.query.js';
import { CreatePostDto, PUB_DATE_PATTERN, ReplacePostDto } from './dto/post-input.dto.js';
import { PostTargetQuery } from './dto/post-target.query.js';
import { PostDto } from './dto/post.dto.js';
import { MAX_POST_ID } from './post-id.js';
import { PostNotFound } from './posts.problems.js';

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

/** In a form all is text, and what was left empty counts as not sent. */
const EMPTY_OR_PUB_DATE = `^$|${PUB_DATE_PATTERN}`;

@ClosedSchema('NewPostForm', 'A post to be stored, as a form sends it.')
class CreatePostForm extends CreatePostDto {}

@ClosedSchema('PostReplacementForm', 'What a post is to be replaced with, as a form sends it.')
class ReplacePostForm extends ReplacePostDto {}

describeField(CreatePostForm, 'pub_date', {
  pattern: EMPTY_OR_PUB_DATE,
  description: 'The time of publication, such as `2026-11-20T14:40:00Z`; left empty: now.',
});
describeField(ReplacePostForm, 'pub_date', {
  pattern: EMPTY_OR_PUB_DATE,
  description: 'The time of publication, such as `2026-11-20T14:40:00Z`; left empty: as it was.',
});
describeField(ReplacePostForm, 'id', {
  type: String,
  pattern: String.raw`^(?:[1-9]\d{0,15})?$`,
  description:
    'May be left empty where the path or the query names the post; where both do, they must agree.',
});

const databaseBusy = new ServiceUnavailable('The database is busy; nothing was changed.');
const postNotFound = new PostNotFound(7);
const preconditionFailed = new PreconditionFailed(
  'The post is not, or no longer, what the preconditions ask for.',
);
const faultyPost = new InvalidRequest([
  { detail: 'The title must not be empty or only white space.', pointer: '/title' },
  { detail: 'The field is required.', pointer: '/body' },
]);
const missingId = new InvalidRequest([
  { detail: 'The id of the post that is meant is required.', parameter: 'id' },
]);
const malformedIfMatch = new InvalidRequest([
  { detail: 'The field must be * or a list of entity tags in double quotes.', header: 'If-Match' },
]);

const malformedKey = new InvalidRequest([
  { detail: 'The field must be one key of 1 to 255 ASCII characters.', header: 'Idempotency-Key' },
]);

const POST_ID: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The post. What cannot be an id, such as `007`, is not found.',
  schema: { type: 'integer', format: 'int64', minimum: 1, maximum: MAX_POST_ID },
};

/** A write must not be sent there, or come back, if there is something already (RFC 9110 §13.1.2). */
const IF_NONE_MATCH_ON_WRITE: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  description: '`*`, or the ETag of what the post must not be: if it is, the answer is 412.',
  schema: { type: 'string', examples: ['*'] },
};

const BODY_DESCRIPTION =
  'The three media types mean the same. `gzip`, `deflate` and `br` are understood as `Content-Encoding`. Fields that are not known are refused.';
const IF_MATCH_ADVICE =
  'Send the ETag of what you have read in `If-Match`, and nobody else’s change is overwritten unseen.';

const REPLACEMENTS = {
  replacement: {
    summary: 'A replacement that keeps the date',
    value: { title: WALK.title, body: 'The heron has moved.' },
  },
  asRead: { summary: 'A post as it was read', value: WALK },
};

function aPost(description: string, moreHeaders: readonly ResponseHeader[] = []): AnswerDocs {
  return {
    description,
    headers: [...moreHeaders, 'ETag', 'Cache-Control', 'Vary', 'Content-Encoding'],
    content: { [JSON_TYPE]: { type: PostDto, examples: { post: { summary: 'A post', value: WALK } } } },
  };
}

function bodies(json: Type, form: Type, examples: Readonly<Record<string, Example>>): ContentDocs {
  return {
    [JSON_TYPE]: { type: json, examples },
    [FORM_TYPE]: { type: form },
    [MULTIPART_TYPE]: { type: form },
  };
}

/** Describes a field of a form anew; it is empty at first. */
function describeField<Form>(
  form: Type<Form>,
  field: keyof Form & string,
  options: ApiPropertyOptions,
): void {
  ApiPropertyOptional({ ...options, example: '' })(form.prototype as object, field);
}

function withoutId({ id: _id, ...fields }: PostDto): Omit<PostDto, 'id'> {
  return fields;
}

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
            twoPosts: { summary: 'The newest posts', value: [WALK, HELLO] },
            someFields: {
              summary: 'With fields=id,title',
              value: [WALK, HELLO].map(({ id, title }) => ({ id, title })),
            },
            none: { summary: 'No posts', value: [] },
          },
        },
        [NDJSON_TYPE]: {
          type: { type: 'string', description: 'A post a line. Without `limit`, all that is selected.' },
          example: `${JSON.stringify(WALK)}\n${JSON.stringify(HELLO)}\n`,
        },
        [CSV_TYPE]: {
          type: {
            type: 'string',
            description: 'RFC 4180, in UTF-8, with a header row. Without `limit`, all that is selected.',
          },
          example: `id,title,pub_date,body\r\n${WALK.id},${WALK.title},${WALK.pub_date},"${WALK.body}"\r\n`,
        },
        [ATOM_TYPE]: { type: { type: 'string', description: 'A feed of the page (RFC 4287).' } },
      },
    },
    problems: {
      faultyQuery: new InvalidRequest([
        { detail: 'The value must be an integer from 1 to 1000.', parameter: 'limit' },
        { detail: 'The parameter is not known.', parameter: 'colour' },
      ]),
      databaseBusy,
    },
  });
}

export function DocumentsCreate(): MethodDecorator {
  return Documented({
    summary: 'Store a post',
    description:
      'Choose `application/x-www-form-urlencoded` beside *Request body* for a form with one input for each field. ' +
      'The `id` is the service’s to assign: whatever is sent is ignored, so that a post that was read can be sent again.',
    parameters: [IDEMPOTENCY_KEY],
    body: {
      description: BODY_DESCRIPTION,
      content: bodies(CreatePostDto, CreatePostForm, {
        post: { summary: 'A post', value: withoutId(WALK) },
        undated: {
          summary: 'A post of now',
          value: { title: 'Just now', body: 'Without a pub_date it is of now.' },
        },
      }),
    },
    answers: {
      201: aPost('The post as it was stored.', ['Location', 'Idempotency-Replayed']),
    },
    problems: {
      faultyPost,
      unknownParameter: UNKNOWN_PARAMETER,
      malformedKey,
      keyInUse: new IdempotencyKeyInUse(),
      keyReused: new IdempotencyKeyReused(),
      databaseBusy,
    },
  });
}

export function DocumentsRead(): MethodDecorator {
  return Documented({
    summary: 'Read a post',
    parameters: [{ ...POST_ID, example: HELLO.id }],
    representation: { description: 'The post.', content: aPost('').content! },
    problems: { unknownParameter: UNKNOWN_PARAMETER, postNotFound, databaseBusy },
  });
}

export function DocumentsReplace(): MethodDecorator {
  return Documented({
    summary: 'Replace a post',
    description: `The post becomes what the body says; without a \`pub_date\` it keeps its own. ${IF_MATCH_ADVICE}`,
    parameters: [POST_ID, IF_MATCH, IF_NONE_MATCH_ON_WRITE],
    body: { description: BODY_DESCRIPTION, content: bodies(ReplacePostDto, ReplacePostForm, REPLACEMENTS) },
    answers: { 200: aPost('The post as it is now. A replacement that changes nothing keeps its ETag.') },
    problems: {
      faultyPost,
      unknownParameter: UNKNOWN_PARAMETER,
      malformedIfMatch,
      postNotFound,
      preconditionFailed,
      databaseBusy,
    },
  });
}

export function DocumentsReplaceByQuery(): MethodDecorator {
  return Documented({
    summary: 'Replace the post that the query or the body names',
    description:
      'As PUT on the path of the post. The `id` stands in the query, in the body, or in both and is the same; ' +
      `without any nothing is changed. ${IF_MATCH_ADVICE}`,
    query: PostTargetQuery,
    parameters: [IF_MATCH, IF_NONE_MATCH_ON_WRITE],
    body: { description: BODY_DESCRIPTION, content: bodies(ReplacePostDto, ReplacePostForm, REPLACEMENTS) },
    answers: { 200: aPost('The post as it is now. A replacement that changes nothing keeps its ETag.') },
    problems: { missingId, faultyPost, malformedIfMatch, postNotFound, preconditionFailed, databaseBusy },
  });
}

export function DocumentsDelete(): MethodDecorator {
  return Documented({
    summary: 'Delete a post',
    description: IF_MATCH_ADVICE,
    parameters: [POST_ID, IF_MATCH, IF_NONE_MATCH_ON_WRITE],
    answers: { 204: { description: 'The post is gone.' } },
    problems: {
      unknownParameter: UNKNOWN_PARAMETER,
      malformedIfMatch,
      postNotFound,
      preconditionFailed,
      databaseBusy,
    },
  });
}

export function DocumentsDeleteByQuery(): MethodDecorator {
  return Documented({
    summary: 'Delete the post that the query names',
    description: `As DELETE on the path of the post. Without an \`id\` nothing is deleted. ${IF_MATCH_ADVICE}`,
    query: PostTargetQuery,
    parameters: [IF_MATCH, IF_NONE_MATCH_ON_WRITE],
    answers: { 204: { description: 'The post is gone.' } },
    problems: { missingId, malformedIfMatch, postNotFound, preconditionFailed, databaseBusy },
  });
}
