import { findBreakingChanges } from './breaking-changes.js';

const POST = {
  type: 'object',
  required: ['title'],
  properties: { title: { type: 'string', maxLength: 200 }, body: { type: 'string' } },
};

function aDocument() {
  return {
    paths: {
      '/posts/': {
        get: {
          operationId: 'listPosts',
          parameters: [
            { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 1000 } },
            { name: 'ordering', in: 'query', schema: { type: 'string', enum: ['id', '-id'] } },
          ],
          responses: { 200: { $ref: '#/components/responses/Posts' }, 400: {} },
        },
        post: {
          operationId: 'createPost',
          security: [{}, { bearer: [] }],
          requestBody: { required: true, content: { 'application/json': { schema: structuredClone(POST) } } },
          responses: { 201: {} },
        },
      },
    },
    components: {
      schemas: { Post: structuredClone(POST) },
      responses: {
        Posts: {
          headers: { ETag: { required: true } },
          content: {
            'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Post' } } },
            'text/csv': { schema: { type: 'string' } },
          },
        },
      },
    },
  };
}

/** What is found when this change is made. */
function foundBy(change) {
  const after = aDocument();
  const { get, post } = after.paths['/posts/'];
  change({
    after,
    get,
    post,
    input: post.requestBody.content['application/json'].schema,
    ...after.components,
  });
  return findBreakingChanges(aDocument(), after);
}

describe('what breaks consumers', () => {
  it.each([
    ['a path that is gone', ({ after }) => delete after.paths['/posts/'], '/posts/: the path is gone'],
    [
      'an operation that is gone',
      ({ after }) => delete after.paths['/posts/'].post,
      'POST /posts/: the operation is gone',
    ],
    [
      'a name that clients have for it',
      ({ get }) => (get.operationId = 'list'),
      'GET /posts/: the operationId listPosts is now list',
    ],
    [
      'a token that is asked for',
      ({ post }) => (post.security = [{ bearer: [] }]),
      'POST /posts/: it needs a token now',
    ],
    [
      'a parameter that is gone',
      ({ get }) => get.parameters.shift(),
      'GET /posts/: the query parameter limit is gone',
    ],
    [
      'a parameter that is required',
      ({ get }) => (get.parameters[0].required = true),
      'GET /posts/: the query parameter limit is required now',
    ],
    [
      'a lower bound of a parameter',
      ({ get }) => (get.parameters[0].schema.maximum = 100),
      'GET /posts/: query parameter limit: maximum was 1000, is 100',
    ],
    [
      'another type of a parameter',
      ({ get }) => (get.parameters[0].schema.type = 'string'),
      'GET /posts/: query parameter limit: the type integer is not taken any more',
    ],
    [
      'a value that is not taken',
      ({ get }) => get.parameters[1].schema.enum.pop(),
      'GET /posts/: query parameter ordering: -id is not taken any more',
    ],
    [
      'a field that must be sent',
      ({ input }) => input.required.push('body'),
      'POST /posts/: body application/json: the property body is required now',
    ],
    [
      'a field that may not be sent',
      ({ input }) => delete input.properties.body,
      'POST /posts/: body application/json: the property body is gone',
    ],
    [
      'a media type that is not taken',
      ({ post }) => (post.requestBody.content = {}),
      'POST /posts/: body: application/json is gone',
    ],
    [
      'a success that is gone',
      ({ post }) => (post.responses = { 200: {} }),
      'POST /posts/: the answer 201 is gone',
    ],
    [
      'a media type that is not answered',
      ({ responses }) => delete responses.Posts.content['text/csv'],
      'GET /posts/ → 200: text/csv is gone',
    ],
    [
      'a header field that is gone',
      ({ responses }) => (responses.Posts.headers = {}),
      'GET /posts/ → 200: the header field ETag may be missing now',
    ],
    [
      'a field of an answer that is gone',
      ({ schemas }) => delete schemas.Post.properties.title,
      'GET /posts/ → 200 application/json[]: the property title is gone',
    ],
    [
      'a field of an answer that may be missing',
      ({ schemas }) => (schemas.Post.required = []),
      'GET /posts/ → 200 application/json[]: the property title may be missing now',
    ],
    [
      'another type in an answer',
      ({ schemas }) => (schemas.Post.properties.title.type = ['string', 'null']),
      'GET /posts/ → 200 application/json[].title: the type null is not expected any more',
    ],
  ])('is %s', (_, change, sentence) => {
    expect(foundBy(change)).toEqual([sentence]);
  });

  it.each([
    ['a new path', ({ after }) => (after.paths['/tags/'] = {})],
    ['a new parameter', ({ get }) => get.parameters.push({ name: 'tag', in: 'query', schema: {} })],
    ['a higher bound of what is sent', ({ input }) => (input.properties.title.maxLength = 300)],
    ['a field that may be sent', ({ input }) => (input.properties.slug = { type: 'string' })],
    ['a field that need not be sent any more', ({ input }) => (input.required = [])],
    ['a new field of an answer', ({ schemas }) => (schemas.Post.properties.slug = { type: 'string' })],
    ['a failure that does not happen any more', ({ get }) => delete get.responses[400]],
  ])('is not %s', (_, change) => {
    expect(foundBy(change)).toEqual([]);
  });
});
