import type { OpenAPIObject } from '@nestjs/swagger';
import { PROBLEM_TYPE } from '../http/media-types.js';
import type {
  Example,
  Operation,
  Parameter,
  PathItem,
  Reference,
  Response,
  Schema,
} from './document-types.js';
import { RESPONSE_HEADERS } from './response-headers.js';

type Paths = OpenAPIObject['paths'];
type Components = NonNullable<OpenAPIObject['components']>;
export type Schemas = Readonly<Record<string, Schema>>;
type Pool<Part> = Record<string, Part>;

/**
 * Moves what stands in many operations, header parameters and examples of problems, to the components, adds the header
 * fields there, and leaves only those components that something refers to.
 */
export function shareComponents(paths: Paths, schemas: Schemas): { paths: Paths; components: Components } {
  const parameters: Pool<Parameter> = {};
  const examples: Pool<Example> = {};
  const shareExamples = (response: Response): Response => {
    const problem = response.content?.[PROBLEM_TYPE];
    if (!problem) return response;
    const shared = mapValues(problem.examples as Pool<Example>, (example, name) =>
      share(examples, name, example),
    );
    return {
      ...response,
      content: { ...response.content, [PROBLEM_TYPE]: { ...problem, examples: shared } },
    };
  };
  const shareParameters = (list: readonly Parameter[]) =>
    list.map((parameter) =>
      parameter.in === 'query' ? parameter : share(parameters, parameter.name, parameter),
    );

  const sharedPaths = mapValues(paths, (pathItem) =>
    mapValues(pathItem as Pool<unknown>, (part, key) => {
      if (key === 'parameters') return shareParameters(part as Parameter[]);
      if (!isOperation(part)) return part;
      return {
        ...part,
        ...(part.parameters ? { parameters: shareParameters(part.parameters as Parameter[]) } : {}),
        responses: mapValues(part.responses as Pool<Response>, shareExamples),
      };
    }),
  ) as Record<string, PathItem>;
  const components = { schemas, parameters, headers: RESPONSE_HEADERS, examples };
  return { paths: sharedPaths, components: onlyReferenced(sharedPaths, components) };
}

/** The first part of a name goes to the pool; another one of the same name, if it differs, stays where it is. */
function share<Part extends Parameter | Example>(
  pool: Pool<Part>,
  name: string,
  part: Part,
): Part | Reference {
  const kind = 'in' in part ? 'parameters' : 'examples';
  pool[name] ??= part;
  return JSON.stringify(pool[name]) === JSON.stringify(part)
    ? { $ref: `#/components/${kind}/${name}` }
    : part;
}

/** JSON Schema 2020-12 has a list of examples where OpenAPI 3.0, and so Nest, has one. */
export function modernSchemas(schemas: Schemas): Schemas {
  return mapValues(schemas, withExamples);
}

function withExamples({ example, properties, ...schema }: Schema): Schema {
  return {
    ...schema,
    ...(properties ? { properties: mapValues(properties as Pool<Schema>, withExamples) } : {}),
    ...(example === undefined ? {} : { examples: [example] }),
  };
}

function onlyReferenced(paths: Paths, components: Components): Components {
  const found = new Set<string>();
  const look = (part: unknown): void => {
    for (const [, reference] of JSON.stringify(part).matchAll(/"\$ref":"#\/components\/([^"]+)"/g)) {
      if (reference === undefined || found.has(reference)) continue;
      found.add(reference);
      const [kind, name] = reference.split('/');
      look(Reflect.get(Reflect.get(components, kind!) as object, name!) ?? null);
    }
  };
  look(paths);
  const entries = Object.entries(components).map(([kind, pool]: [string, Pool<unknown>]) => {
    return [kind, Object.fromEntries(Object.entries(pool).filter(([name]) => found.has(`${kind}/${name}`)))];
  });
  return Object.fromEntries(entries) as Components;
}

function isOperation(part: unknown): part is Operation {
  return typeof part === 'object' && part !== null && 'responses' in part;
}

function mapValues<Value, Result>(
  object: Readonly<Record<string, Value>>,
  change: (value: Value, key: string) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}
