import type { Type } from '@nestjs/common';
import { getSchemaPath } from '@nestjs/swagger';
import type { MediaDocs, OperationDeclaration, ResponseDocs } from '../http/index.js';
import { type Content, mapValues, type Reference, type Response, type Schema } from './document-types.js';
import { headerReferences } from './header-fields.js';

/** A page for people. Its example is as short as possible. */
export const HTML_PAGE: MediaDocs = { type: { type: 'string' }, example: '<!doctype html>…' };

/** The classes of the bodies of an operation and its responses. */
export function modelsOf({ body, responses }: OperationDeclaration): Type[] {
  const contents = [body, ...Object.values(responses ?? {})].map((each) => each?.content ?? {});
  const types = contents.flatMap((content) => Object.values(content)).flatMap(({ type, or }) => [type, or]);
  return types.map((type) => (isList(type) ? type[0] : type)).filter(isClass);
}

/** Joins the declarations of two handlers of a method, which take or produce different media types. */
export function joined(one: OperationDeclaration, other: OperationDeclaration): OperationDeclaration {
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

type BodyDocs = NonNullable<OperationDeclaration['body']>;

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
    const ofOne = content[mediaType];
    content[mediaType] = ofOne ? { ...ofOne, or: docs.type as Type } : docs;
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

export function contentOf(content: NonNullable<ResponseDocs['content']>): Content {
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
