import { ApiSchema, type ApiSchemaOptions, type OpenAPIObject } from '@nestjs/swagger';

/** The name of a response among the components. Parameters have it where they differ from others of their name. */
export const COMPONENT_NAME = 'x-component-name';

/** The parts of an OpenAPI document, by the names that the specification gives them (§4.8). */
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

/** Names and explains the schema of a DTO; nothing may stand in it but its properties. */
export function ClosedSchema(name: string, description: string): ClassDecorator {
  // Nest copies whatever it is given into the schema, though its type does not say so.
  return ApiSchema({ name, description, additionalProperties: false } as ApiSchemaOptions);
}
