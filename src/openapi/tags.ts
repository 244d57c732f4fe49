import type { OpenAPIObject } from '@nestjs/swagger';

/** The groups of operations, in reading order. A controller selects its group by `@ApiTags(TAGS.posts)`. */
export const TAGS = {
  posts: 'posts',
  problems: 'problems',
  discovery: 'discovery',
  operations: 'operations',
  sessions: 'sessions',
  accounts: 'accounts',
  apiTokens: 'api-tokens',
  description: 'description',
  history: 'history',
  overview: 'overview',
  bulk: 'bulk',
  headAndOptions: 'head-and-options',
} as const;

const DESCRIPTIONS: Readonly<Record<keyof typeof TAGS, string>> = {
  posts: 'Store, list, read, replace and delete posts.',
  problems: 'Explanations of the problems that `type` links to.',
  discovery: 'The entry point, the OpenAPI documents and this page.',
  operations: 'Health and metrics, for operators.',
  sessions: 'Log in, and out again.',
  accounts: 'The accounts of the administration site.',
  apiTokens: 'The tokens of programs.',
  description: 'The OpenAPI document of the administration API.',
  overview: 'Figures, posts per month and excerpts, for charts and lists.',
  bulk: 'Operations on many posts at once.',
  history: 'The versions of posts, deleted posts and the change log.',
  headAndOptions: 'HEAD (GET without the body) and OPTIONS (the methods of a path).',
};

const TAG_LIST = Object.entries(DESCRIPTIONS).map(([key, description]) => ({
  name: TAGS[key as keyof typeof TAGS],
  description,
}));

/** The `tags` that the operations of a document use. */
export function tagsOf(paths: OpenAPIObject['paths']): typeof TAG_LIST {
  const operations = Object.values(paths).flatMap((pathItem) => Object.values(pathItem) as unknown[]);
  const used = operations.flatMap((operation) => (operation as { tags?: string[] }).tags ?? []);
  return TAG_LIST.filter(({ name }) => used.includes(name));
}
