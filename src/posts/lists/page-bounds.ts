import { orderingKey, type SortKeyValues } from './post-ordering.js';
import type { PageRequest } from './post-page-queries.js';
import type { PostSelection } from './post-selection.js';

/**
 * The same stretch of a list, said without what is said twice: of two bounds on one side, a database starts at the first
 * and looks at all posts up to the second, however many.
 */
export function withoutIdleBounds(page: PageRequest): PageRequest {
  const { key, descending } = orderingKey(page.ordering);
  if (key[0] !== 'pubDate') return page;
  const goesDown = descending !== page.backwards;
  let { publishedFrom, publishedBefore } = page.filter;
  let [lower, upper] = goesDown ? [page.until, page.after] : [page.after, page.until];
  if (publishedFrom !== undefined && lower?.length) {
    if (dateOf(lower) >= publishedFrom) publishedFrom = undefined;
    else lower = undefined;
  }
  if (publishedBefore !== undefined && upper?.length) {
    if (dateOf(upper) < publishedBefore) publishedBefore = undefined;
    else upper = undefined;
  }
  const [after, until] = goesDown ? [upper, lower] : [lower, upper];
  return { ...page, filter: { ...page.filter, publishedFrom, publishedBefore }, after, until };
}

/**
 * The part of the sort key that tells the posts of a list apart. All posts of one title have that in common, and a
 * database that is told so looks at all of them.
 */
export function distinctiveKey({
  ordering,
  filter,
  after,
  until,
}: PageRequest): readonly ('id' | 'pubDate' | 'title')[] {
  const { key } = orderingKey(ordering);
  const isSame = (values: SortKeyValues | undefined): boolean =>
    !values?.length || values[0] === filter.title;
  return key[0] === 'title' && filter.title !== undefined && isSame(after) && isSame(until) ? ['id'] : key;
}

/** Whether an index has what the filter lets through in the list's order, so that only the posts of a page are looked at. */
export function isIndexed({ filter, ordering }: Pick<PostSelection, 'filter' | 'ordering'>): boolean {
  const { key } = orderingKey(ordering);
  const hasDates = filter.publishedFrom !== undefined || filter.publishedBefore !== undefined;
  if (filter.title !== undefined) return key[0] !== 'pubDate' && !hasDates;
  return key[0] === 'pubDate' || !hasDates;
}

function dateOf(key: SortKeyValues): string {
  return key[0] as string;
}
