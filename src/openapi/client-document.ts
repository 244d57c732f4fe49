import type { OpenAPIObject } from '@nestjs/swagger';
import { JSON_TYPE, PROBLEM_TYPE } from '../http/protocol/index.js';
import {
  type Content,
  mapValues,
  onlyReferenced,
  type Operation,
  type Parameter,
  type PathItem,
  type Reference,
  type Response,
  type Schema,
  type Schemas,
} from './document-types.js';

/**
 * Parameters that would make a type lie: with `fields`, a post lacks properties, and a condition on a read leads
 * to a response without a post.
 */
const NOT_FOR_PROGRAMS = ['fields', 'Last-Event-ID', 'If-None-Match', 'If-Modified-Since'];

const LEFT_OUT =
  'This document is for client generators. It leaves out what would make a type wrong or has none: the parameter `fields` ' +
  '(its posts lack fields), NDJSON, CSV, Atom and event streams, imports, conditions on reads (a 304 has no post), HEAD, ' +
  'OPTIONS and redirects. Lengths are in Unicode code points; many validators count UTF-16 units, and refuse titles of ' +
  'over 100 emoji. `id` is a list separated by commas, or repeated; axios sends `id[]`, unless its `paramsSerializer` is ' +
  '`{ indexes: null }`. `/openapi.json` has everything.';

const omit = (): undefined => undefined;

/** What changes, by the key of the full document. Inner values change first; undefined removes the key. */
const CHANGES: Readonly<Record<string, (value: never) => unknown>> = {
  // Operations and responses whose type may be empty.
  303: omit,
  304: omit,
  'x-route-name': omit,
  // A read needs no precondition: it changes nothing.
  get: (operation: Operation) => clientOperation(without(operation, ['If-Match', 'If-Unmodified-Since'])),
  post: (operation: Operation) => clientOperation(withoutImports(operation)),
  put: clientOperation,
  delete: clientOperation,
  parameters: (all: object) => (Array.isArray(all) ? all.filter(isForPrograms) : all),
  requestBody: ({ description: _ofAllTypes, ...body }: { description?: string }) => body,
  content: ({ [JSON_TYPE]: json, [PROBLEM_TYPE]: problem }: Content) =>
    json ? { [JSON_TYPE]: json } : { [PROBLEM_TYPE]: problem },
  // The examples of a response also fit the first of alternative schemas.
  schema: (schema: Schema) => schema.anyOf?.[0] ?? schema,
  properties: clientProperties,
  // Validators in JavaScript count UTF-16 units: a stored title of 200 emoji must pass where it is read.
  Post: withoutMaxLengths,
  // Generators write patterns into source code, where U+0000 is not allowed.
  pattern: (pattern: string) => (pattern.includes('u0000') ? undefined : pattern),
};

/**
 * Derives the document for client generators: JSON in and out, problems as errors, a name for each schema. Operations
 * without JSON of a named schema are omitted.
 *
 * @param document the full document, with shared components
 * @throws Error when a field of a schema has the name of a key in {@link CHANGES}
 */
export function clientDocument(document: OpenAPIObject): OpenAPIObject {
  const schemas = Object.values((document.components?.schemas ?? {}) as Schemas);
  const names = schemas.flatMap(({ properties = {} }) => Object.keys(properties));
  const clash = names.find((name) => Object.hasOwn(CHANGES, name));
  if (clash !== undefined) throw new Error(`The field ${clash} has the name of a key of OpenAPI.`);
  const changed = JSON.parse(JSON.stringify(document), (key, value: unknown) =>
    Object.hasOwn(CHANGES, key) ? CHANGES[key]!(value as never) : value,
  ) as OpenAPIObject;
  const pathItems = Object.entries(changed.paths).filter(([, item]) => Object.keys(item).length > 0);
  const paths: Record<string, PathItem> = Object.fromEntries(pathItems);
  const { securitySchemes = {}, ...components } = changed.components!;
  return {
    ...changed,
    info: { ...changed.info, description: `${changed.info.description ?? ''}\n\n${LEFT_OUT}`.trim() },
    paths,
    components: { ...onlyReferenced(paths, components), securitySchemes },
  };
}

function clientOperation(operation: Operation): Operation | undefined {
  const { 204: empty, ...responses } = operation.responses as Record<string, Response>;
  const success = Object.entries(responses).find(([status]) => status < '300')?.[1];
  if (!success) return { ...operation, responses: { ...responses, 204: empty! } };
  const schema = success.content?.[JSON_TYPE]?.schema;
  const named = schema && 'items' in schema ? schema.items! : schema;
  return named && '$ref' in named ? { ...operation, responses } : undefined;
}

/** A POST of one post: the preference and the 200 of an import do not apply to it. */
function withoutImports(operation: Operation): Operation {
  const { 200: _ofImports, ...responses } = operation.responses as Record<string, Response>;
  return without('201' in responses ? { ...operation, responses } : operation, ['Prefer']);
}

/** An operation without these parameters, which are header fields. */
function without({ parameters = [], ...operation }: Operation, names: readonly string[]): Operation {
  const kept = (parameters as Reference[]).filter(
    ({ $ref }) => !names.includes($ref?.split('/').at(-1) ?? ''),
  );
  return { ...operation, parameters: kept };
}

function withoutMaxLengths({ properties = {}, ...schema }: Schema): Schema {
  const unlimited = mapValues(properties as Schemas, ({ maxLength: _maxLength, ...property }) => property);
  return { ...schema, properties: unlimited };
}

function isForPrograms(parameter: Parameter | Reference): boolean {
  return !NOT_FOR_PROGRAMS.includes('$ref' in parameter ? parameter.$ref.split('/').at(-1)! : parameter.name);
}

/** Without the properties that are ignored on input, and without `readOnly`, for which generators split a type in two. */
function clientProperties(properties: Schemas): Schemas {
  const all = Object.entries(properties).filter(([, { readOnly, type }]) => !readOnly || type !== undefined);
  return mapValues(Object.fromEntries(all), ({ readOnly: _readOnly, ...property }) => property);
}
