import type { Type } from '@nestjs/common';
import { Operation, type OperationDeclaration } from '../http/pipeline/operation.decorator.js';
import { JSON_TYPE } from '../http/protocol/media-type.js';
import type { RequestContext } from '../http/request/request-context.js';
import { LIMIT_RULE, MAX_LIMIT } from '../http/request/validation.js';
import { ApiResponse } from '../http/response/api-response.js';
import { formatLinks, linksOfPage, type PageNeighbours } from '../http/response/page-links.js';
import type { MediaDocs, ResponseDocs } from '../openapi/operation-docs.js';
import { InvalidRequest } from '../problem-details/problems.js';
import { type KeysetQuery, keysetScope } from './keyset.query.js';

/** The bodies are small documents, and the first of them comes from anybody. */
const MAX_BODY_BYTES = 64 * 1_024;

/** What the administration is told is nobody else's business, and changes under the hands of others. */
const HEADERS = {
  'Content-Type': JSON_TYPE,
  'Cache-Control': 'no-store',
  Vary: 'Accept, Accept-Encoding',
};

type Location<Value> = (value: Value) => readonly [routeName: string, parameters?: object];

interface AdminDeclaration<Value> extends Omit<OperationDeclaration, 'respond'> {
  /** Where what was made is, for a 201. */
  readonly location?: Location<Value>;
  readonly respond?: OperationDeclaration['respond'];
}

/** Declares an operation of /admin/api/: it needs a session, and its handler returns a DTO, a {@link Page} or nothing. */
export function AdminOperation<Value>({
  location,
  ...declaration
}: AdminDeclaration<Value>): MethodDecorator {
  const takesJson = declaration.body?.content[JSON_TYPE] !== undefined;
  return Operation({
    access: 'session',
    ...(takesJson && { maxBodyBytes: MAX_BODY_BYTES }),
    respond: (value: Value | Page | undefined, context: RequestContext) => respond(value, context, location),
    ...declaration,
  });
}

/** A page of a list: its handler returns it for the links to its neighbours. */
export class Page {
  constructor(
    readonly items: readonly object[],
    readonly neighbours: PageNeighbours,
  ) {}
}

function respond<Value>(
  value: Value | Page | undefined,
  context: RequestContext,
  location: Location<Value> | undefined,
): ApiResponse {
  if (value === undefined) return new ApiResponse({ status: 204, headers: { 'Cache-Control': 'no-store' } });
  if (value instanceof Page) return json(200, value.items, { Link: linkOf(value, context) });
  if (!location) return json(200, value);
  return json(201, value, { Location: context.urlOf(...location(value)) });
}

function json(
  status: number,
  document: unknown,
  headers: Readonly<Record<string, string>> = {},
): ApiResponse {
  return new ApiResponse({ status, headers: { ...HEADERS, ...headers }, body: JSON.stringify(document) });
}

function linkOf({ neighbours }: Page, context: RequestContext): string {
  const { route, input, query, fullPath, parameters } = context;
  return formatLinks(
    linksOfPage(neighbours, {
      url: context.urlOf(route!.name, parameters),
      query,
      scope: keysetScope(input!.query as KeysetQuery, fullPath),
    }),
  );
}

export const FAULTY_LIST_QUERY = new InvalidRequest([
  { detail: LIMIT_RULE, code: 'out_of_range', limit: MAX_LIMIT, parameter: 'limit' },
]);

/** Documents what is answered as JSON, and not to be kept. Without an example, that of the schema is shown. */
export function aJson(description: string, type: MediaDocs['type'], example?: unknown): ResponseDocs {
  return {
    description,
    headers: ['Cache-Control', 'Vary', 'Content-Encoding'],
    content: { [JSON_TYPE]: { type, ...(example !== undefined && { example }) } },
  };
}

/** The same of what was made, with the place where it is. */
export function aCreation(docs: ResponseDocs): ResponseDocs {
  return { ...docs, headers: ['Location', ...docs.headers!] };
}

/** A page of a list, with links to its neighbours. */
export function aList(description: string, item: Type, examples: readonly object[]): ResponseDocs {
  const docs = aJson(description, [item], examples);
  return { ...docs, headers: ['Link', ...docs.headers!] };
}
