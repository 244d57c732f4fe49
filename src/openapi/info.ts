import { VERSION } from '../settings/package-info.js';

const DESCRIPTION = `Stores posts: a title, a date of publication and a body.

**Lists** come in pages. The links in \`Link\` (\`next\`, \`prev\`, \`first\`) keep all parameters. Their \`cursor\` makes a page cost the same at any depth, and skips or repeats no post while others are written. \`Prefer: count=exact\` adds the number of posts.

**ETags** name the versions of a post. Send one in \`If-None-Match\`, and the response is 304 while the post is the same. Send one in the \`If-Match\` of a PUT or DELETE, and the response is 412 if another client has changed the post.

**Problems**: every error is \`application/problem+json\` (RFC 9457). Programs read its \`code\`. Its \`type\` leads to an explanation, and \`errors\` lists all faults of the input. A refused request changes nothing.

**HEAD** responds as GET does, with the same header fields and no body. **OPTIONS** responds with 204, the methods of the path in \`Allow\` and, where POST is taken, its media types in \`Accept-Post\`. Neither is listed below.

**Paths** end with a slash; without it the response is a redirect (308). A method that a path does not have is 405 with \`Allow\`, an unknown path 404, and malformed HTTP a bare 400 or 431.`;

export const INFO = {
  title: 'Posts Service',
  version: VERSION,
  description: DESCRIPTION,
  contact: { name: 'The Posts Service authors' },
  license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
};

/** The groups of operations, `@ApiTags()`, in reading order. */
export const TAGS = [
  { name: 'posts', description: 'Store, list, read, replace and delete posts.' },
  { name: 'problems', description: 'Explanations of the problems that `type` links to.' },
  { name: 'discovery', description: 'The entry point, the OpenAPI documents and this page.' },
  { name: 'operations', description: 'Health and metrics, for operators.' },
];

export const SECURITY_SCHEMES = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      'One of API_TOKENS, a token created in the administration site, or the token of a session there. Without API_TOKENS, no token is required.',
  },
} as const;
