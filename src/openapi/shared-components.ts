import type { OpenAPIObject } from '@nestjs/swagger';
import { PROBLEM_TYPE } from '../http/protocol/media-types.js';
import {
  COMPONENT_NAME,
  type Example,
  type Operation,
  type Parameter,
  type PathItem,
  type Reference,
  type Response,
  type Schema,
} from './document-types.js';
import { RESPONSE_HEADERS } from './response-headers.js';

type Paths = OpenAPIObject['paths'];
type Components = NonNullable<OpenAPIObject['components']>;
type Pool<Part> = Record<string, Part>;
export type Schemas = Readonly<Pool<Schema>>;

interface Pools {
  readonly parameters: Pool<Parameter>;
  readonly responses: Pool<Response>;
  readonly examples: Pool<Example>;
}

/**
 * Moves what stands in many operations to the components (parameters, responses and examples of problems), adds the
 * header fields there, and leaves only those components that something refers to.
 */
export function shareComponents(paths: Paths, schemas: Schemas): { paths: Paths; components: Components } {
  const pools: Pools = { parameters: {}, responses: {}, examples: {} };
  const sharedPaths = mapValues(paths, (pathItem) =>
    mapValues(pathItem as Pool<unknown>, (part) => (isOperation(part) ? shareOperation(pools, part) : part)),
  ) as Record<string, PathItem>;
  const components = { schemas, ...pools, headers: RESPONSE_HEADERS };
  return { paths: sharedPaths, components: onlyReferenced(sharedPaths, components) };
}

/**
 * JSON Schema 2020-12 has a list of examples where OpenAPI 3.0, and so Nest, has one, and null as a type where that has
 * `nullable`; and what may be anything has no type, where Nest takes TypeScript's `unknown` for an object.
 */
export function modernSchemas(schemas: Schemas): Schemas {
  return mapValues(schemas, modernSchema);
}

function modernSchema({ type, nullable, example, properties, ...schema }: Schema): Schema {
  const isAnything = type === 'object' && !properties;
  return {
    ...(type === undefined || isAnything ? {} : { type: nullable ? [type, 'null'] : type }),
    ...schema,
    ...(properties ? { properties: mapValues(properties as Schemas, modernSchema) } : {}),
    ...(example === undefined ? {} : { examples: [example] }),
  } as Schema;
}

function shareOperation(pools: Pools, operation: Operation): Operation {
  const { parameters, responses } = operation;
  return {
    ...operation,
    ...(parameters ? { parameters: shareParameters(pools, parameters as Parameter[]) } : {}),
    responses: mapValues(responses as Pool<Response>, (response) => shareResponse(pools, response)),
  };
}

function shareParameters(pools: Pools, parameters: readonly Parameter[]): (Parameter | Reference)[] {
  return parameters.map((parameter) =>
    parameter.in === 'query' ? parameter : share(pools, 'parameters', parameter.name, parameter),
  );
}

function shareResponse(
  pools: Pools,
  { [COMPONENT_NAME]: name, ...response }: Response,
): Response | Reference {
  if (name === undefined) return response;
  const problem = response.content?.[PROBLEM_TYPE];
  if (!problem) return share(pools, 'responses', name, response);
  const examples = mapValues(problem.examples as Pool<Example>, (example, key) =>
    share(pools, 'examples', key, example),
  );
  const content = { [PROBLEM_TYPE]: { ...problem, examples } };
  return share(pools, 'responses', name, { ...response, content });
}

/** A part goes to the pool under its name; where a different one has that already, a number behind it tells them apart. */
function share<Kind extends keyof Pools>(
  pools: Pools,
  kind: Kind,
  name: string,
  part: Pools[Kind][string],
): Reference {
  const pool: Pool<unknown> = pools[kind];
  let key = name;
  for (let number = 2; key in pool && !isSame(pool[key], part); number += 1) key = `${name}${number}`;
  pool[key] = part;
  return { $ref: `#/components/${kind}/${key}` };
}

function onlyReferenced(paths: Paths, components: Components): Components {
  const found = new Set<string>();
  const look = (part: unknown): void => {
    for (const [, reference = ''] of JSON.stringify(part).matchAll(/"\$ref":"#\/components\/([^"]+)"/g)) {
      if (found.has(reference)) continue;
      found.add(reference);
      const [kind, name] = reference.split('/') as [keyof Components, string];
      look(components[kind]?.[name] ?? null);
    }
  };
  look(paths);
  return mapValues(components as Readonly<Record<string, Pool<unknown>>>, (pool, kind) =>
    Object.fromEntries(Object.entries(pool).filter(([name]) => found.has(`${kind}/${name}`))),
  );
}

function isOperation(part: unknown): part is Operation {
  return typeof part === 'object' && part !== null && 'responses' in part;
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function mapValues<Value, Result>(
  object: Readonly<Record<string, Value>>,
  change: (value: Value, key: string) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}
