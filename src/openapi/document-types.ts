import { ApiSchema, type ApiSchemaOptions, type OpenAPIObject } from '@nestjs/swagger';

/** The parts of an OpenAPI document, with the names of the specification (§4.8). */
type Components = NonNullable<OpenAPIObject['components']>;

export type Reference = Extract<NonNullable<Components['headers']>[string], { $ref: string }>;
export type PathItem = OpenAPIObject['paths'][string];
export type Operation = NonNullable<PathItem['get']>;
export type RequestBody = Exclude<NonNullable<Operation['requestBody']>, Reference>;
export type Response = Exclude<NonNullable<Operation['responses'][string]>, Reference>;
export type Header = Exclude<NonNullable<Components['headers']>[string], Reference>;
export type Parameter = Exclude<NonNullable<Components['parameters']>[string], Reference>;
export type Content = NonNullable<Response['content']>;
export type Media = Content[string];
export type Schema = Exclude<NonNullable<Components['schemas']>[string], Reference>;
export type Schemas = Readonly<Record<string, Schema>>;

/** Sets the name and the description of a DTO's schema and allows no additional properties. */
export function ClosedSchema(name: string, description: string): ClassDecorator {
  // Nest copies all given properties into the schema, although its type does not allow them.
  return ApiSchema({ name, description, additionalProperties: false } as ApiSchemaOptions);
}

export function mapValues<Value, Result>(
  object: Readonly<Record<string, Value>>,
  change: (value: Value, key: string) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}

/**
 * Converts a schema of Nest to JSON Schema 2020-12. `example` becomes a list of examples. A value that may be anything has
 * no type, but Nest gives TypeScript's `unknown` the type of an object.
 */
export function modernSchema({ type, example, properties, ...schema }: Schema): Schema {
  const isAnything = type === 'object' && !properties;
  return {
    ...(type !== undefined && !isAnything && { type }),
    ...schema,
    ...(properties && { properties: mapValues(properties as Schemas, modernSchema) }),
    ...(example !== undefined && { examples: [example] }),
  };
}

/** Keeps only components that are referenced, directly or by other components. */
export function onlyReferenced(referring: unknown, components: Components): Components {
  const byKind = components as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  const referenced = new Set<string>();
  const addReferencesOf = (part: unknown): void => {
    const json = JSON.stringify(part);
    for (const [, reference = ''] of json.matchAll(/"\$ref":"#\/components\/([^"]+)"/g)) {
      if (referenced.has(reference)) continue;
      referenced.add(reference);
      const [kind, name] = reference.split('/') as [string, string];
      addReferencesOf(byKind[kind]?.[name] ?? null);
    }
  };
  addReferencesOf(referring);
  return mapValues(byKind, (ofKind, kind) => {
    const kept = Object.entries(ofKind).filter(([name]) => referenced.has(`${kind}/${name}`));
    return Object.fromEntries(kept);
  });
}
