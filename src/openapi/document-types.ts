import { ApiSchema, type ApiSchemaOptions, type OpenAPIObject } from '@nestjs/swagger';

/** The component name of a response. Parameters have it when they differ from others of the same name. */
export const COMPONENT_NAME = 'x-component-name';

/** The parts of an OpenAPI document, with the names of the specification (§4.8). */
type Components = NonNullable<OpenAPIObject['components']>;

export type Reference = Extract<NonNullable<Components['headers']>[string], { $ref: string }>;
export type PathItem = OpenAPIObject['paths'][string];
export type Operation = NonNullable<PathItem['get']>;
export type Responses = Operation['responses'];
export type Response = Exclude<NonNullable<Responses[string]>, Reference> & { [COMPONENT_NAME]?: string };
export type Header = Exclude<NonNullable<Components['headers']>[string], Reference>;
export type Parameter = Exclude<NonNullable<Components['parameters']>[string], Reference> & {
  [COMPONENT_NAME]?: string;
};
export type RequestBody = Exclude<NonNullable<Components['requestBodies']>[string], Reference>;
export type Content = RequestBody['content'];
export type Example = Exclude<NonNullable<Components['examples']>[string], Reference>;
export type Schema = Exclude<NonNullable<Components['schemas']>[string], Reference>;

/** Sets the name and the description of a DTO's schema and allows no additional properties. */
export function ClosedSchema(name: string, description: string): ClassDecorator {
  // Nest copies all given properties into the schema, although its type does not allow them.
  return ApiSchema({ name, description, additionalProperties: false } as ApiSchemaOptions);
}

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
