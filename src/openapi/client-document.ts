import type { OpenAPIObject } from '@nestjs/swagger';
import { JSON_TYPE } from '../http/protocol/media-type.js';
import type {
  Content,
  Operation,
  PathItem,
  Reference,
  RequestBody,
  Response,
  Schema,
} from './document-types.js';
import { mapValues } from './map-values.js';
import { onlyReferenced } from './schemas.js';

const METHODS = ['get', 'post', 'put', 'delete'] as const;

/**
 * Parameters that would make a type lie: with `fields`, a post lacks properties, and a condition on a read leads to a
 * response without a post.
 */
const NOT_FOR_PROGRAMS = ['fields', 'If-None-Match', 'If-Modified-Since'];

/**
 * Derives the document for client generators: JSON in and out, problems as errors, a name for each schema. Of
 * alternative schemas, the first is used. Operations without JSON of a named schema are omitted, as are HEAD, OPTIONS,
 * redirects, 304 and `Prefer: return=minimal`: each would give a type that may be empty.
 *
 * @param document the full document, with shared components
 * @param info the `info` of the derived document
 */
export function clientDocument(document: OpenAPIObject, info: OpenAPIObject['info']): OpenAPIObject {
  const paths = Object.fromEntries(
    Object.entries(document.paths)
      .map(([path, pathItem]) => [path, clientPathItem(document, pathItem)] as const)
      .filter(([, pathItem]) => Object.keys(pathItem).length > 0),
  );
  const { securitySchemes = {}, ...components } = document.components ?? {};
  const usedTags = Object.values(paths).flatMap((pathItem) =>
    METHODS.flatMap((method) => pathItem[method]?.tags ?? []),
  );
  const taken = new Set(Object.values(paths).flatMap(namesOfBodies));
  const schemas = mapValues((components.schemas ?? {}) as Readonly<Record<string, Schema>>, (schema, name) =>
    clientSchema(schema, taken.has(name)),
  );
  return {
    ...document,
    info,
    tags: (document.tags ?? []).filter(({ name }) => usedTags.includes(name)),
    paths,
    components: {
      ...onlyReferenced(paths, { ...components, schemas }),
      securitySchemes,
    },
  };
}

function clientPathItem(document: OpenAPIObject, pathItem: PathItem): PathItem {
  return Object.fromEntries(
    METHODS.flatMap((method) => {
      const operation = pathItem[method] && clientOperation(document, pathItem[method]);
      return operation ? [[method, operation]] : [];
    }),
  );
}

function clientOperation(
  document: OpenAPIObject,
  { parameters = [], requestBody, responses, ...texts }: Operation,
): Operation | undefined {
  const all = Object.entries(responses as Record<string, Response>).filter(([status]) =>
    status.startsWith('2'),
  );
  const withContent = all.filter(([, { content }]) => content);
  const successes = withContent.length > 0 ? withContent : all;
  if (!successes.every(([, { content }]) => !content || isNamed(jsonSchema(content)))) return undefined;
  return {
    ...texts,
    parameters: parameters
      .filter((each) => {
        const { name } = resolve(document, each);
        const isOfRead = !requestBody && NOT_FOR_PROGRAMS.includes(name);
        return !isOfRead && !(name === 'Prefer' && requestBody);
      })
      .map((each) => ('schema' in each ? { ...each, schema: portable(each.schema as Schema) } : each)),
    ...(requestBody ? { requestBody: withJson(requestBody as RequestBody) } : {}),
    responses: Object.fromEntries([
      ...successes.map(([status, response]) => [status, jsonResponse(response)]),
      ...Object.entries(responses).filter(([status]) => status >= '400'),
    ]) as Operation['responses'],
  };
}

function jsonResponse({ description, headers, content }: Response): Response {
  return {
    description,
    ...(headers && { headers }),
    // Its examples may belong to other alternatives; the named schemas have their own.
    ...(content ? { content: { [JSON_TYPE]: { schema: jsonSchema(content)! } } } : {}),
  };
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
 * Removes `readOnly`, which makes generators split a type in two: instead, sent schemas omit the properties that
 * clients cannot set. Also removes `maxLength`, which validators in JavaScript count in UTF-16 units, and patterns with
 * U+0000, which generators write into source code.
 */
function clientSchema(schema: Schema, isSent: boolean): Schema {
  if (!schema.properties) return schema;
  const properties = Object.entries(schema.properties as Record<string, Schema>)
    .filter(([, { readOnly }]) => !(isSent && readOnly))
    .map(([name, { readOnly: _readOnly, ...property }]) => [name, portable(property)]);
  return { ...schema, properties: Object.fromEntries(properties) as Record<string, Schema> };
}

function portable({ maxLength: _maxLength, pattern, ...schema }: Schema): Schema {
  return pattern === undefined || pattern.includes('u0000') ? schema : { ...schema, pattern };
}

function namesOfBodies(pathItem: PathItem): string[] {
  const bodies = METHODS.map((method) => pathItem[method]?.requestBody as RequestBody | undefined);
  return bodies.flatMap((body) => {
    const schema = body && jsonSchema(body.content);
    return schema && '$ref' in schema ? [schema.$ref.replace('#/components/schemas/', '')] : [];
  });
}

function isNamed(schema: Schema | Reference | undefined): boolean {
  return schema !== undefined && ('$ref' in schema || (schema.items !== undefined && '$ref' in schema.items));
}

function resolve<Part extends object>(document: OpenAPIObject, part: Part | Reference): Part {
  if (!('$ref' in part)) return part;
  const [, , kind, name] = part.$ref.split('/') as [string, string, 'parameters', string];
  return document.components![kind]![name] as Part;
}
