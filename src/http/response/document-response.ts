import type { LastModified } from '../protocol/last-modified.js';
import { JSON_TYPE } from '../protocol/media-type.js';
import { type KeysetQuery, keysetScope } from '../request/keyset-page.js';
import type { RequestContext } from '../request/request-context.js';
import { ApiResponse, contentEntityTag } from './api-response.js';
import { formatLinks, linksOfPage, type PageNeighbours } from './page-links.js';

/** A page of a keyset list. A handler returns it to get links to its neighbours. */
export class Page {
  constructor(
    readonly items: readonly object[],
    readonly neighbours: PageNeighbours,
  ) {}

  /** Converts the rows of a page to what clients see. */
  static of<Row>(
    page: PageNeighbours & { readonly rows: readonly Row[] },
    toItem: (row: Row) => object,
  ): Page {
    return new Page(page.rows.map(toItem), page);
  }
}

export interface DocumentOptions {
  /** `no-cache`, the default: caches may store it, but must revalidate it. `no-store`: caches must not store it. */
  readonly cacheControl?: 'no-cache' | 'no-store';
  /** The location of the created resource, for a 201: the name of a route and its parameters. */
  readonly location?: readonly [routeName: string, parameters?: object] | undefined;
  /** The opaque part of the entity tag; a page that may be cached gets one from its content. */
  readonly entityTag?: string;
  readonly lastModified?: LastModified;
}

/** The response for a document as JSON, for a {@link Page}, or without content (204). */
export function documentResponse(
  document: object | undefined,
  context: RequestContext,
  { cacheControl = 'no-cache', location, entityTag, lastModified }: DocumentOptions = {},
): ApiResponse {
  const caching = { 'Cache-Control': cacheControl };
  if (document === undefined) return new ApiResponse({ status: 204, headers: caching });
  const link = document instanceof Page ? linkOf(document, context) : undefined;
  const body = JSON.stringify(document instanceof Page ? document.items : document);
  const ofContent =
    link !== undefined && cacheControl === 'no-cache' ? contentEntityTag(body + link) : undefined;
  const tag = entityTag ?? ofContent;
  return new ApiResponse({
    status: location ? 201 : 200,
    headers: {
      'Content-Type': JSON_TYPE,
      ...caching,
      Vary: 'Accept, Accept-Encoding',
      ...(link !== undefined && { Link: link }),
      ...(location && { Location: context.urlOf(...location) }),
    },
    ...(tag !== undefined && { entityTag: tag }),
    lastModified,
    body,
  });
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

export interface Asset {
  readonly mediaType: string;
  readonly content: string | Buffer;
  readonly entityTag: string;
}

/** Creates an asset whose entity tag is derived from its content. */
export function toAsset(content: string | Buffer, mediaType: string): Asset {
  return { mediaType, content, entityTag: contentEntityTag(content) };
}

/** 200 with an asset. Clients cache it and revalidate it. */
export function assetResponse(
  { mediaType, content, entityTag }: Asset,
  headers: Readonly<Record<string, string>> = {},
): ApiResponse {
  return new ApiResponse({
    status: 200,
    headers: {
      'Content-Type': mediaType,
      'Cache-Control': 'no-cache',
      Vary: 'Accept, Accept-Encoding',
      ...headers,
    },
    entityTag,
    body: content,
  });
}
