import { ApiSchema, type ApiSchemaOptions, type OpenAPIObject } from '@nestjs/swagger';

/** The parts of an OpenAPI document, with the names of the specification (§4.8). */
type Components = NonNullable<OpenAPIObject['components']>;

export type Reference = Extract<NonNullable<Components['headers']>[string], { $ref: string }>;
export type PathItem = OpenAPIObject['paths'][string];
export type Operation = NonNullable<PathItem['get']>;
export type Response = Exclude<NonNullable<Operation['responses'][string]>, Reference>;
export type Header = Exclude<NonNullable<Components['headers']>[string], Reference>;
export type Parameter = Exclude<NonNullable<Components['parameters']>[string], Reference>;
export type Content = NonNullable<Response['content']>;
export type Schema = Exclude<NonNullable<Components['schemas']>[string], Reference>;

/** Sets the name and the description of a DTO's schema and allows no additional properties. */
export function ClosedSchema(name: string, description: string): ClassDecorator {
  // Nest copies all given properties into the schema, although its type does not allow them.
  return ApiSchema({ name, description, additionalProperties: false } as ApiSchemaOptions);
}
