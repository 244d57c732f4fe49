import { StreamableFile } from '@nestjs/common';
import type { Request } from 'express';
import type { LastModified } from '../protocol/last-modified.js';
import { JSON_TYPE } from '../protocol/media-type.js';
import { LongTextJson } from '../../limits/index.js';
import { formatLinks, keysetScope, linksOfPage, type PageNeighbours } from '../../paging/index.js';
import { ApiResponse, contentEntityTag } from './api-response.js';

/** A page of a keyset list. A handler returns it to get links to its neighbours. */
export class Page {
  constructor(
    readonly neighbours: PageNeighbours,
    /** What clients see of the rows. */
    readonly items: readonly object[],
    readonly lastModified?: LastModified,
  ) {}
}
Object.setPrototypeOf(Page.prototype, StreamableFile.prototype); // As of ApiResponse.

/**
 * Turns what a handler returned into the response: nothing into a 204, a {@link Page} into its items with their links,
 * and any other object into JSON.
 *
 * @param status the one that Nest has set: of `@HttpCode()`, or else its default for the method
 */
export function toResponse(value: unknown, status: number, request: Request): ApiResponse {
  const { context } = request;
  const { isPrivate, location } = context.operation!.declaration;
  const privacy = isPrivate && { 'Cache-Control': 'no-store' };
  if (value === undefined) return new ApiResponse({ status: 204, headers: { ...privacy } });
  const isPage = value instanceof Page;
  const link = isPage ? linkOf(value, request) : '';
  const [routeName, parameters] = location?.(value as never) ?? [];
  const shown = isPage ? value.items : (value as object);
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
