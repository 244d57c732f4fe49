import type { OpenAPIObject } from '@nestjs/swagger';
import { STATUS_CODES } from 'node:http';
import { JSON_TYPE, PROBLEM_TYPE } from '../http/protocol/media-type.js';
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
import { onlyReferenced } from './shared-components.js';

/** Error responses by the name of their status: `NotFound`. */
type SharedErrors = Record<string, Response>;

const METHODS = ['get', 'post', 'put', 'delete'] as const;

/** Header fields that browsers and HTTP libraries handle. */
const NOT_FOR_PROGRAMS =
  /^(?:X-(?:Content-Type|Frame)-Options|Content-(?:Security-Policy|Encoding)|Referrer-Policy|Cross-Origin-.*|Permissions-Policy|Strict-Transport-Security|Access-Control-.*|Vary|Accept-.*)$/;

/**
 * Derives the document for client generators: JSON in and out, problems as errors, a name for each schema. Of
 * alternative schemas, the first is used. Operations without JSON of a named schema are omitted, as are HEAD, OPTIONS,
 * redirects, 304 and `Prefer: return=minimal`: each would give a type that may be empty.
 *
 * @param document the full document, with shared components
 * @param info the `info` of the derived document
 */
export function clientDocument(document: OpenAPIObject, info: OpenAPIObject['info']): OpenAPIObject {
  const errors: SharedErrors = {};
  const paths = Object.fromEntries(
    Object.entries(document.paths)
      .map(([path, pathItem]) => [path, clientPathItem(document, pathItem, errors)] as const)
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
      ...onlyReferenced({ paths, errors }, { ...components, schemas, responses: errors }),
      securitySchemes,
    },
  };
}

function clientPathItem(document: OpenAPIObject, pathItem: PathItem, errors: SharedErrors): PathItem {
  return Object.fromEntries(
    METHODS.flatMap((method) => {
      const operation = pathItem[method] && clientOperation(document, pathItem[method], errors);
      return operation ? [[method, operation]] : [];
    }),
  );
}

function clientOperation(
  document: OpenAPIObject,
  { parameters = [], requestBody, responses, ...texts }: Operation,
  errors: SharedErrors,
): Operation | undefined {
  const resolved = Object.entries(responses).map(([status, response]): [string, Response] => [
    status,
    resolve(document, response as Response | Reference),
  ]);
  const all = resolved.filter(([status]) => status.startsWith('2'));
  const withContent = all.filter(([, { content }]) => content);
  const successes = withContent.length > 0 ? withContent : all;
  if (!successes.every(([, { content }]) => !content || isNamed(jsonSchema(content)))) return undefined;
  return {
    ...texts,
    parameters: parameters.filter((each) => {
      const { name } = resolve(document, each);
      return !(name === 'If-None-Match' && '304' in responses) && !(name === 'Prefer' && requestBody);
    }),
    ...(requestBody ? { requestBody: withJson(requestBody as RequestBody) } : {}),
    responses: Object.fromEntries([
      ...successes.map(([status, response]) => [status, jsonResponse(response)]),
      ...resolved
        .filter(([status]) => status >= '400')
        .map(([status, response]) => [status, sharedError(status, response, errors)]),
    ]) as Operation['responses'],
  };
}

function jsonResponse({ description, headers = {}, content }: Response): Response {
  return {
    description,
    headers: forPrograms(headers),
    // Its examples may belong to other alternatives; the named schemas have their own.
    ...(content ? { content: { [JSON_TYPE]: { schema: jsonSchema(content)! } } } : {}),
  };
}

/** Merges all errors of a status into one component with the descriptions and header fields of each. */
function sharedError(status: string, response: Response, errors: SharedErrors): Response | Reference {
  const problem = response.content?.[PROBLEM_TYPE];
  if (!problem) return jsonResponse(response);
  const name = (STATUS_CODES[status] ?? `Status ${status}`).replaceAll(/\W/g, '');
  const shared = errors[name] ?? { description: response.description, headers: {} };
  errors[name] = {
    description: shared.description.includes(response.description)
      ? shared.description
      : `${shared.description} ${response.description}`,
    headers: { ...shared.headers, ...forPrograms(response.headers ?? {}) },
    content: { [PROBLEM_TYPE]: { schema: problem.schema! } },
  };
  return { $ref: `#/components/responses/${name}` };
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
 * clients cannot set. Also removes `maxLength`, which validators in JavaScript count in UTF-16 units.
 */
function clientSchema(schema: Schema, isSent: boolean): Schema {
  if (!schema.properties) return schema;
  const properties = Object.entries(schema.properties as Record<string, Schema>)
    .filter(([, { readOnly }]) => !(isSent && readOnly))
    .map(([name, { readOnly: _readOnly, maxLength: _maxLength, ...property }]) => [name, property]);
  return { ...schema, properties: Object.fromEntries(properties) as Record<string, Schema> };
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

function forPrograms(headers: NonNullable<Response['headers']>): NonNullable<Response['headers']> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !NOT_FOR_PROGRAMS.test(name)));
}

function resolve<Part extends object>(document: OpenAPIObject, part: Part | Reference): Part {
  if (!('$ref' in part)) return part;
  const [, , kind, name] = part.$ref.split('/') as [string, string, 'parameters' | 'responses', string];
  return document.components![kind]![name] as Part;
}
