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
  type RequestBody,
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

/** What a client needs of the operations of a path. A read needs no precondition: it changes nothing. */
const OPERATIONS: Readonly<Record<string, (operation: Operation) => Operation>> = {
  get: (operation) => without(operation, ['If-Match', 'If-Unmodified-Since']),
  post: withoutImports,
  put: (operation) => operation,
  delete: (operation) => operation,
};

/**
 * Derives the document for client generators: JSON in and out, problems as errors, a name for each schema. Operations
 * without JSON of a named schema are omitted.
 *
 * @param document the full document, with shared components
 */
export function clientDocument(document: OpenAPIObject): OpenAPIObject {
  const items = Object.entries(document.paths).map(([path, item]) => [path, clientPathItem(item)] as const);
  const paths = Object.fromEntries(items.filter(([, item]) => Object.keys(item).length > 0));
  const { securitySchemes = {}, schemas, parameters, responses, ...others } = document.components!;
  const components = {
    ...others,
    schemas: mapValues(schemas as Schemas, (schema, name) =>
      clientSchema(name === 'Post' ? withoutMaxLengths(schema) : schema),
    ),
    parameters: mapValues((parameters ?? {}) as Record<string, Parameter>, clientParameter),
    responses: mapValues((responses ?? {}) as Record<string, Response>, clientResponse),
  };
  return {
    ...document,
    info: { ...document.info, description: `${document.info.description ?? ''}\n\n${LEFT_OUT}`.trim() },
    paths,
    components: { ...onlyReferenced(paths, components), securitySchemes },
  };
}

function clientPathItem(item: PathItem): PathItem {
  const operations = Object.entries(OPERATIONS).flatMap(([method, adapt]) => {
    const operation = item[method as 'get'];
    const adapted = operation && clientOperation(adapt(operation));
    return adapted ? [[method, adapted]] : [];
  });
  return Object.fromEntries(operations) as PathItem;
}

/** @returns undefined without a success that is empty, or JSON of a named schema */
function clientOperation({ parameters = [], requestBody, ...operation }: Operation): Operation | undefined {
  const responses = clientResponses(operation.responses as Record<string, Response>);
  if (!responses) return undefined;
  return {
    ...operation,
    parameters: parameters.filter(isForPrograms).map(clientParameter),
    ...(requestBody && { requestBody: clientBody(requestBody as RequestBody) }),
    responses,
  };
}

/** One success: not that of a redirect, a condition or an empty response beside another one. */
function clientResponses({
  204: empty,
  303: _toForm,
  304: _current,
  ...others
}: Record<string, Response>): Record<string, Response> | undefined {
  const responses = mapValues(others, clientResponse);
  const success = Object.entries(responses).find(([status]) => status < '300')?.[1];
  if (!success) return { ...responses, ...(empty && { 204: empty }) };
  return isNamed(success.content?.[JSON_TYPE]?.schema) ? responses : undefined;
}

/** Whether a schema, or that of the items of a list, has a name. */
function isNamed(schema: Schema | Reference | undefined): boolean {
  if (!schema) return false;
  const item = 'items' in schema ? schema.items! : schema;
  return '$ref' in item;
}

/** The description of a body is about all of its media types. */
function clientBody({ description: _ofAllTypes, content, ...body }: RequestBody): RequestBody {
  return { ...body, content: clientContent(content) };
}

function clientResponse<Part extends Response | Reference>(response: Part): Part {
  return 'content' in response ? { ...response, content: clientContent(response.content!) } : response;
}

/** The JSON of several media types. The examples of alternative schemas fit the first of them. */
function clientContent({ [JSON_TYPE]: json, [PROBLEM_TYPE]: problem }: Content): Content {
  const [type, media] = json ? [JSON_TYPE, json] : [PROBLEM_TYPE, problem];
  if (!media) return {};
  const { schema, ...others } = media;
  return {
    [type]: { ...(schema && { schema: clientSchema((schema as Schema).anyOf?.[0] ?? schema) }), ...others },
  };
}

function clientParameter<Part extends Parameter | Reference>(parameter: Part): Part {
  return 'schema' in parameter ? { ...parameter, schema: clientSchema(parameter.schema!) } : parameter;
}

function clientSchema<Part extends Schema | Reference>(schema: Part): Part {
  if ('$ref' in schema) return schema;
  const { pattern, properties, items, ...others } = schema;
  return {
    ...others,
    // Generators write patterns into source code, where U+0000 is not allowed.
    ...(pattern !== undefined && !pattern.includes('u0000') && { pattern }),
    ...(properties && { properties: clientProperties(properties as Schemas) }),
    ...(items && { items: clientSchema(items) }),
  } as Part;
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

/** Validators in JavaScript count UTF-16 units: a stored title of 200 emoji must pass where it is read. */
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
  return mapValues(Object.fromEntries(all), ({ readOnly: _readOnly, ...property }) => clientSchema(property));
}
