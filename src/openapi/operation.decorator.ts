import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiOperation, getSchemaPath } from '@nestjs/swagger';
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
  /**
   * Without a summary, the operation is not in the OpenAPI document; but it is a part of one with a summary that has the
   * same method and path, and takes or produces other media types.
   */
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
  const { summary, description } = declaration;
  return applyDecorators(
    Declaration(declaration),
    summary === undefined
      ? ApiExcludeEndpoint()
      : ApiOperation({ summary, ...(description !== undefined && { description }) }),
  );
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

/** The classes of the bodies of an operation and its responses. */
export function modelsOf({ body, responses }: DocumentedOperation): Type[] {
  const contents = [body, ...Object.values(responses ?? {})].map((each) => each?.content ?? {});
  const types = contents.flatMap((content) => Object.values(content)).flatMap(({ type, or }) => [type, or]);
  return types.map((type) => (isList(type) ? type[0] : type)).filter(isClass);
}

/** What the document says of a method whose handlers take or produce different media types: all that each of them says. */
export function joined(one: DocumentedOperation, other: DocumentedOperation): DocumentedOperation {
  const body = joinedBody(one.body, other.body);
  const responses: Record<string, ResponseDocs> = { ...one.responses };
  for (const [status, response] of Object.entries<ResponseDocs>(other.responses ?? {}))
    responses[status] = responses[status] ? joinedResponse(responses[status], response) : response;
  return {
    ...one,
    parameters: joinedNames(one.parameters, other.parameters),
    ...(body && { body }),
    responses,
    problems: [...(one.problems ?? []), ...(other.problems ?? [])],
  };
}

type BodyDocs = NonNullable<DocumentedOperation['body']>;

function joinedBody(one: BodyDocs | undefined, other: BodyDocs | undefined): BodyDocs | undefined {
  if (!one) return other;
  if (!other) return one;
  return {
    description: joinedText(one.description, other.description),
    content: { ...one.content, ...other.content },
  };
}

/** A media type that both have gets the types of both. */
function joinedResponse(one: ResponseDocs, other: ResponseDocs): ResponseDocs {
  const content: Record<string, MediaDocs> = { ...one.content };
  for (const [mediaType, docs] of Object.entries(other.content ?? {})) {
    const former = content[mediaType];
    content[mediaType] = former ? { ...former, or: docs.type as Type } : docs;
  }
  return {
    description: joinedText(one.description, other.description),
    headers: joinedNames(one.headers, other.headers),
    content,
  };
}

function joinedText(...texts: (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined).join(' ');
}

function joinedNames<Name>(...lists: (readonly Name[] | undefined)[]): Name[] {
  return [...new Set(lists.flatMap((names) => names ?? []))];
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
