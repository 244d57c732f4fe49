import type { Answer } from '../http/answer.js';
import { formatLinks } from '../http/link-header.js';
import { linksOfPage, type PageNeighbours } from '../http/page-links.js';
import type { RequestContext } from '../http/request-context.js';
import { pathOf } from '../http/route.js';
import { answerJson } from './json-answers.js';
import { type KeysetQuery, keysetScope } from './keyset.query.js';

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
  return answerJson(items, { Link: formatLinks(links) });
}
