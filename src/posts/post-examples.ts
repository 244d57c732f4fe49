import { LIMIT_RULE, MAX_LIMIT } from '../http/request/validation.js';
import { InvalidRequest, PreconditionFailed } from '../problem-details/problems.js';
import type { PostDto } from './dto/post.dto.js';
import { PostNotFound } from './post-id.js';

/** Posts for the examples of the OpenAPI document. */
export const HELLO: PostDto = {
  id: 1,
  title: 'Hello, world',
  pub_date: '2026-11-20T14:40:00.000Z',
  body: 'The first post of this blog.\nMore will follow.',
};
export const WALK: PostDto = {
  id: 7,
  title: 'A walk along the river',
  pub_date: '2026-11-21T08:05:00.000Z',
  body: 'Fog in the morning, sun by noon, and a heron that would not move.',
};

export const POSTS_AS_NDJSON = [WALK, HELLO].map((post) => `${JSON.stringify(post)}\n`).join('');

export const POSTS_AS_CSV = `id,title,pub_date,body\r
7,A walk along the river,2026-11-21T08:05:00.000Z,"Fog in the morning, sun by noon, and a heron that would not move."\r
1,"Hello, world",2026-11-20T14:40:00.000Z,"The first post of this blog.
More will follow."\r
`;

export const POSTS_AS_ATOM = `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>urn:uuid:3f0c5d0e-6c1b-5c6e-9a57-0d7a0e1b8f11</id>
  <title>Posts</title>
  <updated>2026-11-20T14:40:00.000Z</updated>
  <author><name>Posts Service</name></author>
  <entry>
    <id>urn:uuid:8d2f9f0a-1f2e-5b3a-8c4d-5e6f7a8b9c0d</id>
    <title>Hello, world</title>
    <published>2026-11-20T14:40:00.000Z</published>
    <updated>2026-11-20T14:40:00.000Z</updated>
    <link rel="alternate" type="application/json" href="http://127.0.0.1:3000/posts/1/"/>
    <content type="text">The first post of this blog.</content>
  </entry>
</feed>
`;

export const POST_NOT_FOUND = new PostNotFound(WALK.id);

export const PRECONDITION_FAILED = new PreconditionFailed(
  'The current version of the post does not meet the preconditions.',
);

export const FAULTY_POST = new InvalidRequest([
  { detail: 'The title must not be empty or only white space.', code: 'blank', pointer: '/title' },
  { detail: 'The field is required.', code: 'required', pointer: '/body' },
]);

export const FAULTY_LIST_QUERY = new InvalidRequest([
  { detail: LIMIT_RULE, code: 'out_of_range', limit: MAX_LIMIT, parameter: 'limit' },
  {
    detail: 'The value must be one of pub_date, -pub_date, id, -id, title, -title, modified, -modified.',
    code: 'not_one_of',
    parameter: 'ordering',
  },
]);

export const MISSING_ID = new InvalidRequest([
  { detail: 'The id of the post is required.', code: 'required', parameter: 'id' },
]);

export const MALFORMED_KEY = new InvalidRequest([
  {
    detail:
      'The field must be one key of 1 to 255 ASCII characters, with or without double quotes around it.',
    code: 'malformed',
    header: 'Idempotency-Key',
  },
]);
