import type { Type } from '@nestjs/common';
import {
  ApiExcludeEndpoint,
  ApiExtraModels,
  ApiOperation,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import type { Content, Operation, Reference, Response, Schema } from './document-types.js';
import {
  COMMON_HEADERS,
  headerReferences,
  type ParameterName,
  type ResponseHeader,
} from './header-fields.js';
import { mapValues } from './map-values.js';

/** A body of a media type: a DTO, a list of them (`[PostDto]`), or a schema. */
export interface MediaDocs {
  readonly type: Type | readonly [Type] | Schema;
  /** The alternative type, when the request selects it. */
  readonly or?: Type | readonly [Type];
  readonly example?: unknown;
}

export type ContentDocs = Readonly<Record<string, MediaDocs>>;

export interface ResponseDocs {
  readonly description: string;
  /** The header fields besides those of all responses. */
  readonly headers?: readonly ResponseHeader[];
  readonly content?: ContentDocs;
}

/** The documentation of a handler's input and output. complete-document.ts adds the responses of the pipeline. */
export interface OperationDocs {
  /** Without a summary, the operation is not in the OpenAPI document. */
  readonly summary?: string;
  readonly description?: string;
  /** Header fields; the parameters of the path and the query come from the classes of the arguments. */
  readonly parameters?: readonly ParameterName[];
  readonly body?: { readonly description?: string; readonly content: ContentDocs };
  /**
   * A 200 with an ETag. It adds `If-None-Match` and 304, and `If-Match` and 412; with `Last-Modified` among its
   * headers, it also adds the conditions on dates.
   */
  readonly representation?: ResponseDocs;
  readonly responses?: Readonly<Record<number, ResponseDocs>>;
  /** The statuses of the problems that the handler throws. */
  readonly problems?: readonly number[];
}

/** The decorators of @nestjs/swagger for an operation. */
export function swaggerDecorators(docs: OperationDocs): MethodDecorator[] {
  const { summary, description, body } = docs;
  if (summary === undefined) return [ApiExcludeEndpoint()];
  const responses = Object.entries(successesOf(docs));
  const contents = [body, ...responses.map(([, response]) => response)].map((part) => part?.content ?? {});
  return [
    ApiOperation({ summary, ...(description !== undefined && { description }) }),
    ApiExtraModels(...contents.flatMap((content) => Object.values(content)).flatMap(modelsOf)),
    ...responses.map(([status, response]) =>
      ApiResponse({ status: Number(status), ...responseOf(response) }),
    ),
  ];
}

function successesOf({ representation, responses }: OperationDocs): Record<string, ResponseDocs> {
  if (!representation) return { ...responses };
  const headers: readonly ResponseHeader[] = ['ETag', ...(representation.headers ?? [])];
  const description =
    'The representation of the client is still current, by `If-None-Match` or `If-Modified-Since`.';
  return { 200: { ...representation, headers }, 304: { description, headers }, ...responses };
}

function responseOf({ description, headers = [], content }: ResponseDocs): Response {
  return {
    description,
    headers: headerReferences([...COMMON_HEADERS, ...headers]),
    ...(content && { content: contentOf(content) }),
  };
}

/** The names of an operation's request header fields. */
export function parameterNames({ parameters = [], representation }: OperationDocs): ParameterName[] {
  const ofRead: readonly ParameterName[] = ['If-Match-on-read', 'If-None-Match'];
  const ofDates: readonly ParameterName[] = ['If-Unmodified-Since', 'If-Modified-Since'];
  return [
    ...parameters,
    ...(representation ? ofRead : []),
    ...(representation?.headers?.includes('Last-Modified') ? ofDates : []),
    'X-Request-Id',
  ];
}

/** `@ApiBody()` allows no schemas that differ by media type. */
export function requestBodyOf({ body }: OperationDocs): Pick<Operation, 'requestBody'> {
  return body ? { requestBody: { ...body, content: contentOf(body.content), required: true } } : {};
}

function contentOf(content: ContentDocs): Content {
  return mapValues(content, ({ type, or, example }) => ({
    schema: or ? { anyOf: [schemaOf(type), schemaOf(or)] } : schemaOf(type),
    ...(example !== undefined && { example }),
  }));
}

function schemaOf(type: MediaDocs['type']): Schema | Reference {
  if (typeof type === 'function') return { $ref: getSchemaPath(type) };
  if (isList(type)) return { type: 'array', items: { $ref: getSchemaPath(type[0]) } };
  return type;
}

function modelsOf({ type, or }: MediaDocs): Type[] {
  return [type, or]
    .flatMap((each) => (isList(each) ? each[0] : each))
    .filter((each) => typeof each === 'function');
}

function isList(type: MediaDocs['type'] | undefined): type is readonly [Type] {
  return Array.isArray(type);
}
