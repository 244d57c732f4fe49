import type { OpenAPIObject } from '@nestjs/swagger';
import { JSON_TYPE } from '../http/protocol/media-type.js';
import {
  type Content,
  type Operation,
  type PathItem,
  type Reference,
  type RequestBody,
  type Response,
  type Schema,
  tagsOf,
} from './document-types.js';
import { mapValues } from './map-values.js';
import { onlyReferenced, type Schemas } from './schemas.js';

const METHODS = ['get', 'post', 'put', 'delete'] as const;

/**
 * Parameters that would make a type lie: with `fields`, a post lacks properties, and a condition on a read or a minimal
 * response to a write leads to a response without a post.
 */
const NOT_FOR_PROGRAMS = ['fields', 'If-None-Match', 'If-Modified-Since', 'Prefer-return'];

/**
 * Derives the document for client generators: JSON in and out, problems as errors, a name for each schema. Of
 * alternative schemas, the first is used. Operations without JSON of a named schema are omitted, as are HEAD, OPTIONS,
 * redirects and 304: each would give a type that may be empty.
 *
 * @param document the full document, with shared components
 * @param info the `info` of the derived document
 */
export function clientDocument(document: OpenAPIObject, info: OpenAPIObject['info']): OpenAPIObject {
  const pathItems = Object.entries(mapValues(document.paths, clientPathItem));
  const paths = Object.fromEntries(pathItems.filter(([, pathItem]) => Object.keys(pathItem).length > 0));
  const { securitySchemes = {}, schemas, ...components } = document.components ?? {};
  const used = onlyReferenced(paths, { ...components, schemas: mapValues(schemas as Schemas, clientSchema) });
  return { ...document, info, tags: tagsOf(paths), paths, components: { ...used, securitySchemes } };
}

function clientPathItem(pathItem: PathItem): PathItem {
  const operations = METHODS.map((method) => [method, pathItem[method] && clientOperation(pathItem[method])]);
  return Object.fromEntries(operations.filter(([, operation]) => operation)) as PathItem;
}

function clientOperation({
  parameters = [],
  requestBody,
  responses,
  ...texts
}: Operation): Operation | undefined {
  const all = Object.entries(responses as Record<string, Response>);
  const successes = all.filter(([status]) => status.startsWith('2'));
  const withContent = successes.filter(([, { content }]) => content);
  if (!withContent.every(([, { content }]) => isNamed(jsonSchema(content!)))) return undefined;
  return {
    ...texts,
    parameters: parameters
      .filter((each) => !NOT_FOR_PROGRAMS.includes('$ref' in each ? each.$ref.split('/').at(-1)! : each.name))
      .map((each) => ('schema' in each ? { ...each, schema: portable(each.schema as Schema) } : each)),
    ...(requestBody && { requestBody: withJson(requestBody as RequestBody) }),
    responses: Object.fromEntries([
      ...(withContent.length > 0 ? withContent : successes).map(([status, each]) => [
        status,
        jsonResponse(each),
      ]),
      ...all.filter(([status]) => status >= '400'),
    ]) as Operation['responses'],
  };
}

function jsonResponse({ content, ...response }: Response): Response {
  // Its examples may belong to other alternatives; the named schemas have their own.
  return { ...response, ...(content && { content: { [JSON_TYPE]: { schema: jsonSchema(content)! } } }) };
}

function withJson({ description: _ofAllTypes, content, ...body }: RequestBody): RequestBody {
  return { ...body, content: { [JSON_TYPE]: content[JSON_TYPE]! } };
}

/** The first schema if there are alternatives. */
function jsonSchema(content: Content): Schema | Reference | undefined {
  const schema = content[JSON_TYPE]?.schema;
  return (schema as Schema | undefined)?.anyOf?.[0] ?? schema;
}

/**
 * Removes `readOnly`, which makes generators split a type in two, and the properties that are ignored on input. Also
 * removes `maxLength`, which validators in JavaScript count in UTF-16 units, and patterns with U+0000, which generators
 * write into source code.
 */
function clientSchema(schema: Schema): Schema {
  if (!schema.properties) return schema;
  const properties = Object.entries(schema.properties as Schemas)
    .filter(([, { readOnly, type }]) => !(readOnly && type === undefined))
    .map(([name, { readOnly: _readOnly, ...property }]) => [name, portable(property)]);
  return { ...schema, properties: Object.fromEntries(properties) as Schemas };
}

function portable({ maxLength: _maxLength, pattern, ...schema }: Schema): Schema {
  return pattern === undefined || pattern.includes('u0000') ? schema : { ...schema, pattern };
}

function isNamed(schema: Schema | Reference | undefined): boolean {
  return schema !== undefined && ('$ref' in schema || (schema.items !== undefined && '$ref' in schema.items));
}
