import type { OpenAPIObject } from '@nestjs/swagger';
import { JSON_TYPE, PROBLEM_TYPE } from '../http/protocol/index.js';
import {
  type Content,
  mapValues,
  type Media,
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
 * Parameters for which the types of a generated client would be wrong: with `fields`, a post lacks properties, and a
 * condition on a read leads to a response without a post.
 */
const NOT_FOR_PROGRAMS = ['fields', 'Last-Event-ID', 'If-None-Match', 'If-Modified-Since'];

const LEFT_OUT =
  'This document is for client generators. It leaves out what would make a type wrong or has none: the parameter `fields` ' +
  '(its posts lack fields), representations of lists other than JSON, event streams, imports, conditions on reads (a 304 has no post), HEAD, ' +
  'OPTIONS and redirects. Lengths are in Unicode code points; many validators count UTF-16 units, and refuse titles of ' +
  'over 100 emoji. `id` is a list separated by commas, or repeated; axios sends `id[]`, unless its `paramsSerializer` is ' +
  '`{ indexes: null }`. `/openapi.json` has everything.';

/** How the operations of a path are adapted for clients. A read needs no precondition: it changes nothing. */
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
    schemas: mapValues(schemas as Schemas, clientComponent),
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

/** @returns undefined as {@link clientResponses} does */
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

/**
 * The problems, and one success. Left out are redirects, the 304 of a condition, and an empty success beside another one.
 *
 * @returns undefined when the success is neither empty nor JSON of a named schema
 */
function clientResponses({
  204: empty,
  303: _toForm,
  304: _current,
  ...others
}: Record<string, Response>): Record<string, Response> | undefined {
  const responses = mapValues(others, clientResponse);
  const successStatus = Object.keys(responses).find((status) => status < '300');
  if (successStatus === undefined) return empty ? { ...responses, 204: empty } : responses;
  const { content } = responses[successStatus]!;
  return isNamed(content?.[JSON_TYPE]?.schema) ? responses : undefined;
}

/** Whether a schema, or that of the items of a list, has a name. */
function isNamed(schema: Schema | Reference | undefined): boolean {
  if (!schema) return false;
  const item = 'items' in schema ? schema.items! : schema;
  return '$ref' in item;
}

/** Without its description, which is about all media types of the body. */
function clientBody({ description: _ofAllTypes, content, ...body }: RequestBody): RequestBody {
  return { ...body, content: clientContent(content) };
}

function clientResponse<Part extends Response | Reference>(response: Part): Part {
  return 'content' in response ? { ...response, content: clientContent(response.content!) } : response;
}

/** The JSON among several media types, or else the JSON of problems. */
function clientContent({ [JSON_TYPE]: json, [PROBLEM_TYPE]: problem }: Content): Content {
  if (json) return { [JSON_TYPE]: clientMedia(json) };
  return problem ? { [PROBLEM_TYPE]: clientMedia(problem) } : {};
}

/** With one schema: the first of alternatives, which the examples fit. */
function clientMedia({ schema, ...others }: Media): Media {
  if (!schema) return others;
  const [first = schema] = (schema as Schema).anyOf ?? [];
  return { schema: clientSchema(first), ...others };
}

function clientParameter<Part extends Parameter | Reference>(parameter: Part): Part {
  return 'schema' in parameter ? { ...parameter, schema: clientSchema(parameter.schema!) } : parameter;
}

function clientComponent(schema: Schema, name: string): Schema {
  return clientSchema(name === 'Post' ? withoutMaxLengths(schema) : schema);
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

/** An operation without the parameters of these names. */
function without({ parameters = [], ...operation }: Operation, names: readonly string[]): Operation {
  return { ...operation, parameters: parameters.filter((each) => !names.includes(parameterName(each))) };
}

/** Header fields are components with their names. */
function parameterName(parameter: Parameter | Reference): string {
  return '$ref' in parameter ? parameter.$ref.split('/').at(-1)! : parameter.name;
}

/** Validators in JavaScript count UTF-16 units: a stored title of 200 emoji must pass where it is read. */
function withoutMaxLengths({ properties = {}, ...schema }: Schema): Schema {
  const unlimited = mapValues(properties as Schemas, ({ maxLength: _maxLength, ...property }) => property);
  return { ...schema, properties: unlimited };
}

function isForPrograms(parameter: Parameter | Reference): boolean {
  return !NOT_FOR_PROGRAMS.includes(parameterName(parameter));
}

/** Without the properties that are ignored on input, and without `readOnly`, for which generators split a type in two. */
function clientProperties(properties: Schemas): Schemas {
  const used = Object.entries(properties).filter(([, property]) => !isIgnored(property));
  return mapValues(Object.fromEntries(used), ({ readOnly: _readOnly, ...property }) =>
    clientSchema(property),
  );
}

/** Whether a property is ignored on input: it is read-only, and has no type there. */
function isIgnored({ readOnly, type }: Schema): boolean {
  return readOnly === true && type === undefined;
}
