import { Answer } from '../http/answer.js';
import { formatLinks } from '../http/link-header.js';
import { JSON_TYPE } from '../http/media-types.js';
import { linksOfPage, type PageNeighbours } from '../http/page-links.js';
import type { RequestContext } from '../http/request-context.js';
import { pathOf } from '../http/route.js';
import { type KeysetQuery, keysetScope } from './keyset.query.js';

/** What every answer of the administration says of caches: it is for one person, once. */
export const ADMIN_REPRESENTATION = {
  'Content-Type': JSON_TYPE,
  'Cache-Control': 'no-store',
  Vary: 'Accept, Accept-Encoding',
};

/** 200, or another success, with what the client asked for. */
export function answerJson(value: object, status = 200): Answer {
  return new Answer({ status, headers: ADMIN_REPRESENTATION, body: JSON.stringify(value) });
}

/** 200 with a page of a list, and the links to its neighbours. */
export function answerList(
  items: readonly object[],
  page: PageNeighbours,
  query: KeysetQuery,
  context: RequestContext,
): Answer {
  const links = linksOfPage(page, {
    url: context.baseUrl + pathOf(context.route!, context.parameters),
    query: context.query,
    scope: keysetScope(query, context.fullPath),
  });
  return new Answer({
    status: 200,
    headers: { ...ADMIN_REPRESENTATION, Link: formatLinks(links) },
    body: JSON.stringify(items),
  });
}
