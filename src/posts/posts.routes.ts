import {
  FORM_TYPE,
  HTML_TYPE,
  JSON_TYPE,
  MULTIPART_TYPE,
  NDJSON_TYPE,
  PROBLEM_TYPE,
} from '../http/media-types.js';
import type { Operation, Route } from '../http/route.js';
import { LIST_REPRESENTATIONS } from './representations/list-representations.js';
import { isPostId } from './post-id.js';

const json = { mediaType: JSON_TYPE };

/** The browsable form is Swagger UI, opened at the operation that answers the same path. */
const form = (operationId: string) => ({ mediaType: HTML_TYPE, seeOther: `/docs/#/posts/${operationId}` });

const write: Operation = {
  produces: [json],
  consumes: [JSON_TYPE, FORM_TYPE, MULTIPART_TYPE],
};

/** Its success has no body, so a client that accepts nothing but problems can be satisfied too. */
const remove: Operation = { produces: [json, { mediaType: PROBLEM_TYPE }] };

export const postList: Route = {
  name: 'post-list',
  path: '/posts/',
  operations: {
    GET: { produces: [...LIST_REPRESENTATIONS, form('listPosts')], reusable: true },
    POST: {
      ...write,
      consumes: [...write.consumes!, NDJSON_TYPE],
      streams: [NDJSON_TYPE],
      takesIdempotencyKey: true,
    },
    PUT: write,
    DELETE: remove,
  },
  writesNeedToken: true,
};

export const postDetail: Route = {
  name: 'post-detail',
  path: '/posts/{id}/',
  operations: { GET: { produces: [json, form('getPost')], reusable: true }, PUT: write, DELETE: remove },
  hasTarget: ({ id }) => isPostId(id!),
  writesNeedToken: true,
};
