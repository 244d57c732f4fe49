import type { OpenAPIObject } from '@nestjs/swagger';
import { PROBLEM_TYPE } from '../http/protocol/media-type.js';
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
import { RESPONSE_HEADERS } from './header-fields.js';
import { mapValues } from './map-values.js';

type Paths = OpenAPIObject['paths'];
type Components = NonNullable<OpenAPIObject['components']>;
export type Schemas = Readonly<Record<string, Schema>>;

interface Pools {
  readonly parameters: Pool<Parameter>;
  readonly responses: Pool<Response>;
  readonly examples: Pool<Example>;
}

/**
 * Moves parts that many operations share (parameters, responses and examples of problems) to the components, adds the
 * header fields there, and keeps only components that are referenced.
 */
export function shareComponents(paths: Paths, schemas: Schemas): { paths: Paths; components: Components } {
  const pools = {
    parameters: new Pool<Parameter>('parameters'),
    responses: new Pool<Response>('responses'),
    examples: new Pool<Example>('examples'),
  };
  const sharedPaths = mapValues(paths, (pathItem) =>
    mapValues(pathItem as Readonly<Record<string, unknown>>, (part) =>
      isOperation(part) ? shareOperation(pools, part) : part,
    ),
  ) as Record<string, PathItem>;
  const components = {
    schemas,
    parameters: pools.parameters.components(),
    responses: pools.responses.components(),
    examples: pools.examples.components(),
    headers: RESPONSE_HEADERS,
  };
  return { paths: sharedPaths, components: onlyReferenced(sharedPaths, components) };
}

/**
 * Converts schemas from OpenAPI 3.0, which Nest generates, to JSON Schema 2020-12: `example` becomes a list of
 * examples, `nullable` becomes the type null, and the type of a value that may be anything is removed, because Nest
 * converts TypeScript's `unknown` to an object.
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
  const { operationId, parameters, responses } = operation;
  return {
    ...operation,
    ...(parameters ? { parameters: shareParameters(pools, operationId!, parameters as Parameter[]) } : {}),
    responses: mapValues(responses as Record<string, Response>, (response) =>
      shareResponse(pools, operationId!, response),
    ),
  };
}

function shareParameters(
  { parameters: pool }: Pools,
  operationId: string,
  parameters: readonly Parameter[],
): (Parameter | Reference)[] {
  return parameters.map(({ [COMPONENT_NAME]: name, ...parameter }) =>
    parameter.in === 'query' ? parameter : pool.share(name ?? parameter.name, operationId, parameter),
  );
}

function shareResponse(
  pools: Pools,
  operationId: string,
  { [COMPONENT_NAME]: name, ...response }: Response,
): Response | Reference {
  if (name === undefined) return response;
  const problem = response.content?.[PROBLEM_TYPE];
  if (!problem) return pools.responses.share(name, operationId, response);
  const examples = mapValues(problem.examples as Record<string, Example>, (example, key) =>
    pools.examples.share(key, operationId, example),
  );
  const content = { [PROBLEM_TYPE]: { ...problem, examples } };
  return pools.responses.share(name, operationId, response, { ...response, content });
}

interface Variant<Part> {
  readonly name: string;
  /** The first operation that has the part. */
  readonly operationId: string;
  readonly part: Part;
  /** The reference that all operations with this part share. It is completed when all are known. */
  readonly reference: { $ref: string };
  uses: number;
}

/**
 * The components of a kind. When parts of one name differ, the most frequent one keeps the name. The others get the
 * name of their first operation as a prefix: `NotAcceptable`, `ListPostsNotAcceptable`.
 */
class Pool<Part extends object> {
  readonly #variants = new Map<string, Variant<Part>>();

  constructor(private readonly kind: keyof Pools) {}

  /** @param shown the part that becomes the component, if it differs from the compared part */
  share(name: string, operationId: string, part: Part, shown = part): Reference {
    const key = `${name} ${JSON.stringify(part)}`;
    const variant = this.#variants.get(key) ?? {
      name,
      operationId,
      part: shown,
      reference: { $ref: '' },
      uses: 0,
    };
    variant.uses += 1;
    this.#variants.set(key, variant);
    return variant.reference;
  }

  components(): Record<string, Part> {
    const variants = [...this.#variants.values()];
    const names = new Set<string>();
    for (const { name, operationId, reference } of variants.toSorted((a, b) => b.uses - a.uses)) {
      const unique = names.has(name) ? prefixed(operationId, name) : name;
      if (names.has(unique)) throw new Error(`${operationId} has two ${this.kind} of the name ${name}.`);
      names.add(unique);
      reference.$ref = `#/components/${this.kind}/${unique}`;
    }
    return Object.fromEntries(variants.map(({ reference, part }) => [nameOf(reference), part]));
  }
}

function nameOf({ $ref }: Reference): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}

/**
 * `listPosts` with `NotAcceptable` gives `ListPostsNotAcceptable`; with `faultyQuery`, it gives `listPostsFaultyQuery`.
 */
function prefixed(operationId: string, name: string): string {
  const prefix = /^[A-Z]/.test(name) ? capitalised(operationId) : operationId;
  return prefix + capitalised(name);
}

export function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
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

function isOperation(part: unknown): part is Operation {
  return typeof part === 'object' && part !== null && 'responses' in part;
}
