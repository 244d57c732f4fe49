import { StreamableFile } from '@nestjs/common';
import type { Request } from 'express';
import { formatLinks, keysetScope, linksOfPage } from '../../paging/index.js';
import { LongTextJson } from '../../turns/index.js';
import { JSON_TYPE } from '../protocol/media-type.js';
import type { OperationDeclaration } from '../routes/operation.js';
import { ApiResponse, contentEntityTag } from './api-response.js';
import { Page } from './page.js';

/**
 * Turns what a handler returned into our response: nothing into a 204, a {@link Page} into its items with their links,
 * and any other object into JSON.
 *
 * @param status the one that Nest has set: of `@HttpCode()`, or else its default for the method
 * @returns undefined for what Nest sends itself, such as a text, a stream, or an object of a handler without an `@Operation()`
 */
export function responseOf(returned: unknown, status: number, request: Request): ApiResponse | undefined {
  const { operation } = request.context;
  if (returned instanceof ApiResponse) return returned;
  if (!operation) return undefined;
  return returned instanceof Page || isDocument(returned)
    ? documentResponse(returned, status, request, operation.declaration)
    : undefined;
}

function documentResponse(
  value: object | undefined,
  status: number,
  request: Request,
  { isPrivate, location }: OperationDeclaration,
): ApiResponse {
  const { context } = request;
  const privacy = isPrivate && { 'Cache-Control': 'no-store' };
  if (value === undefined) return new ApiResponse({ status: 204, headers: { ...privacy } });
  const isPage = value instanceof Page;
  const link = isPage ? linkOf(value, request) : '';
  const [routeName, parameters] = location?.(value as never) ?? [];
  const shown = isPage ? value.items : value;
  const mayBeLong = isPrivate && !isPage;
  const body = (mayBeLong && LongTextJson.of(shown)) || JSON.stringify(shown);
  // An entity tag needs the whole text, and what is private needs no entity tag.
  const isTagged = !isPrivate && typeof body === 'string';
  return new ApiResponse({
    status,
    headers: {
      'Content-Type': JSON_TYPE,
      'Cache-Control': 'no-cache',
      ...privacy,
      ...(link !== '' && { Link: link }),
      ...(routeName !== undefined && {
        Location: context.urlOf(routeName, { ...context.parameters, ...parameters }),
      }),
    },
    entityTag: isTagged ? contentEntityTag(body + link) : undefined,
    lastModified: isPage ? value.lastModified : undefined,
    body,
  });
}

function linkOf({ neighbours }: Page, { context, query }: Request): string {
  const links = linksOfPage(neighbours, {
    url: context.urlOf(context.route!.name, context.parameters),
    query: context.query,
    scope: keysetScope(query, context.fullPath),
  });
  return formatLinks(links, context.query.length);
}

/** Whether a value is sent as JSON or, when there is none, as an empty response: no text, no bytes and no stream. */
function isDocument(value: unknown): value is object | undefined {
  if (value === undefined) return true;
  if (typeof value !== 'object' || value === null) return false;
  const isBinary = ArrayBuffer.isView(value) || value instanceof ArrayBuffer || value instanceof Blob;
  const isStream = value instanceof StreamableFile || 'pipe' in value || Symbol.asyncIterator in value;
  return !isBinary && !isStream && !(value instanceof globalThis.Response);
}
