import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiExtraModels, ApiOperation, getSchemaPath } from '@nestjs/swagger';
import { Declaration, type OperationDeclaration } from '../http/index.js';
import { type Content, mapValues, type Reference, type Response, type Schema } from './document-types.js';
import { headerReferences, type ParameterName, type ResponseHeader } from './header-fields.js';

/** A body of a media type: a DTO, a list of them (`[PostDto]`), or a schema. */
export interface MediaDocs {
  readonly type: Type | readonly [Type] | Schema;
  /** The alternative type, when the request selects it. */
  readonly or?: Type | readonly [Type];
  readonly example?: unknown;
}

/** A page for people, in examples as short as possible. */
export const HTML_PAGE: MediaDocs = { type: { type: 'string' }, example: '<!doctype html>…' };

export type ContentDocs = Readonly<Record<string, MediaDocs>>;

export interface ResponseDocs {
  readonly description: string;
  /** The header fields besides those of all responses. */
  readonly headers?: readonly ResponseHeader[];
  readonly content?: ContentDocs;
}

/** A declaration with its documentation. complete-document.ts adds the responses of the middleware and the guards. */
export interface DocumentedOperation extends OperationDeclaration {
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

/** Declares the operation of a handler, also for @nestjs/swagger. */
export function Operation(declared: DocumentedOperation): MethodDecorator {
  const declaration = writtenOut(declared);
  return applyDecorators(Declaration(declaration), ...swaggerDecorators(declaration));
}

/** Writes out what a `representation` means: its responses, conditions and problems. */
function writtenOut(docs: DocumentedOperation): DocumentedOperation {
  const { representation, parameters = [], responses, problems = [] } = docs;
  if (!representation) return docs;
  const headers: readonly ResponseHeader[] = ['ETag', ...(representation.headers ?? [])];
  const dates: readonly ParameterName[] = ['If-Unmodified-Since', 'If-Modified-Since'];
  const current =
    'The representation of the client is still current, by `If-None-Match` or `If-Modified-Since`.';
  return {
    ...docs,
    parameters: [
      ...parameters,
      'If-Match',
      'If-None-Match',
      ...(headers.includes('Last-Modified') ? dates : []),
    ],
    responses: { ...responses, 200: { ...representation, headers }, 304: { description: current, headers } },
    problems: [...problems, 400, 412],
  };
}

/** The decorators of @nestjs/swagger for an operation. */
function swaggerDecorators(docs: DocumentedOperation): MethodDecorator[] {
  const { summary, description, body, responses } = docs;
  if (summary === undefined) return [ApiExcludeEndpoint()];
  const contents = [body, ...Object.values(responses ?? {})].map((each) => each?.content ?? {});
  const types = contents.flatMap((content) => Object.values(content)).flatMap(({ type, or }) => [type, or]);
  return [
    ApiOperation({ summary, ...(description !== undefined && { description }) }),
    ApiExtraModels(...types.map((type) => (isList(type) ? type[0] : type)).filter(isClass)),
  ];
}

export function responseOf({ description, headers = [], content }: ResponseDocs): Response {
  return {
    description,
    headers: headerReferences(headers),
    ...(content && { content: contentOf(content) }),
  };
}

export function contentOf(content: ContentDocs): Content {
  return mapValues(content, ({ type, or, example }) => ({
    schema: or ? { anyOf: [schemaOf(type), schemaOf(or)] } : schemaOf(type),
    ...(example !== undefined && { example }),
  }));
}

function schemaOf(type: MediaDocs['type']): Schema | Reference {
  if (isList(type)) return { type: 'array', items: schemaOf(type[0]) };
  return isClass(type) ? { $ref: getSchemaPath(type) } : type;
}

function isList(type: MediaDocs['type'] | undefined): type is readonly [Type] {
  return Array.isArray(type);
}

function isClass(type: unknown): type is Type {
  return typeof type === 'function';
}
