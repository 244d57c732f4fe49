import type { OpenAPIObject } from '@nestjs/swagger';
import type { Schema } from './document-types.js';
import { mapValues } from './map-values.js';

type Components = NonNullable<OpenAPIObject['components']>;
export type Schemas = Readonly<Record<string, Schema>>;

/**
 * Converts a schema of Nest to JSON Schema 2020-12: `example` becomes a list of examples, and the type of a value that may
 * be anything is removed, because Nest converts TypeScript's `unknown` to an object.
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
  const found = new Set<string>();
  const look = (part: unknown): void => {
    for (const [, reference = ''] of JSON.stringify(part).matchAll(/"\$ref":"#\/components\/([^"]+)"/g)) {
      if (found.has(reference)) continue;
      found.add(reference);
      const [kind, name] = reference.split('/') as [keyof Components, string];
      look(components[kind]?.[name] ?? null);
    }
  };
  look(referring);
  return mapValues(components as Readonly<Record<string, Record<string, unknown>>>, (pool, kind) =>
    Object.fromEntries(Object.entries(pool).filter(([name]) => found.has(`${kind}/${name}`))),
  );
}
