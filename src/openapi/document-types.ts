import { ApiSchema, type ApiSchemaOptions, type OpenAPIObject } from '@nestjs/swagger';

/** The parts of an OpenAPI document, with the names of the specification (§4.8). */
type Components = NonNullable<OpenAPIObject['components']>;

export type Reference = Extract<NonNullable<Components['headers']>[string], { $ref: string }>;
export type PathItem = OpenAPIObject['paths'][string];
export type Operation = NonNullable<PathItem['get']>;
export type Responses = Operation['responses'];
export type Response = Exclude<NonNullable<Responses[string]>, Reference>;
export type Header = Exclude<NonNullable<Components['headers']>[string], Reference>;
export type Parameter = Exclude<NonNullable<Components['parameters']>[string], Reference>;
export type RequestBody = Exclude<NonNullable<Components['requestBodies']>[string], Reference>;
export type Content = RequestBody['content'];
export type Schema = Exclude<NonNullable<Components['schemas']>[string], Reference>;

/** Sets the name and the description of a DTO's schema and allows no additional properties. */
export function ClosedSchema(name: string, description: string): ClassDecorator {
  // Nest copies all given properties into the schema, although its type does not allow them.
  return ApiSchema({ name, description, additionalProperties: false } as ApiSchemaOptions);
}

/** The groups of operations, `@ApiTags()`, in reading order. */
const TAGS = {
  posts: 'Store, list, read, replace and delete posts.',
  problems: 'Explanations of the problems that `type` links to.',
  discovery: 'The entry point, the OpenAPI documents and this page.',
  operations: 'Health and metrics, for operators.',
  'head-and-options': 'HEAD (GET without the body) and OPTIONS (the methods of a path).',
};

/** The groups that the operations of a document use. */
export function tagsOf(paths: OpenAPIObject['paths']): { name: string; description: string }[] {
  const operations = Object.values(paths).flatMap((pathItem) => Object.values(pathItem) as unknown[]);
  const used = operations.flatMap((operation) => (operation as { tags?: string[] }).tags ?? []);
  return Object.entries(TAGS)
    .filter(([name]) => used.includes(name))
    .map(([name, description]) => ({ name, description }));
}
