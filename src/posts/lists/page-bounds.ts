import { orderingKey, type SortKey, type SortKeyValues } from './post-ordering.js';
import type { PageRequest } from './post-page-queries.js';
import type { PostFilter, PostSelection } from './post-selection.js';

/** The filters that are bounds of a sort key. */
const RANGES: Readonly<
  Partial<Record<SortKey[0], { readonly from: keyof DateBounds; readonly before?: keyof DateBounds }>>
> = {
  pubDate: { from: 'publishedFrom', before: 'publishedBefore' },
  modified: { from: 'modifiedFrom' },
};

type DateBounds = Pick<PostFilter, 'publishedFrom' | 'publishedBefore' | 'modifiedFrom'>;

/**
 * The same stretch of a list, said without what is said twice: of two bounds on one side, a database starts at the first
 * and looks at all posts up to the second, however many.
 */
export function withoutIdleBounds(page: PageRequest): PageRequest {
  const { key, descending } = orderingKey(page.ordering);
  const range = RANGES[key[0]];
  if (!range) return page;
  const goesDown = descending !== page.backwards;
  let from = page.filter[range.from];
  let before = range.before && page.filter[range.before];
  let [lower, upper] = goesDown ? [page.until, page.after] : [page.after, page.until];
  if (from !== undefined && lower?.length) {
    if (dateOf(lower) >= from) from = undefined;
    else lower = undefined;
  }
  if (before !== undefined && upper?.length) {
    if (dateOf(upper) < before) before = undefined;
    else upper = undefined;
  }
  const [after, until] = goesDown ? [upper, lower] : [lower, upper];
  const filter = { ...page.filter, [range.from]: from, ...(range.before && { [range.before]: before }) };
  return { ...page, filter, after, until };
}

/**
 * The part of the sort key that tells the posts of a list apart. All posts of one title have that in common, and a
 * database that is told so looks at all of them.
 */
export function distinctiveKey({ ordering, filter, after, until }: PageRequest): readonly SortKey[number][] {
  const { key } = orderingKey(ordering);
  const isSame = (values: SortKeyValues | undefined): boolean =>
    !values?.length || values[0] === filter.title;
  return key[0] === 'title' && filter.title !== undefined && isSame(after) && isSame(until) ? ['id'] : key;
}

/** Whether an index has what the filter lets through in the list's order, so that only the posts of a page are looked at. */
export function isIndexed({ filter, ordering }: Pick<PostSelection, 'filter' | 'ordering'>): boolean {
  const { key } = orderingKey(ordering);
  const isBounded = (property: 'pubDate' | 'modified'): boolean => {
    const { from, before } = RANGES[property]!;
    return filter[from] !== undefined || (before !== undefined && filter[before] !== undefined);
  };
  const bounded = (['pubDate', 'modified'] as const).filter(isBounded);
  if (filter.title !== undefined) return (key[0] === 'id' || key[0] === 'title') && bounded.length === 0;
  return bounded.every((property) => property === key[0]);
}

function dateOf(key: SortKeyValues): string {
  return key[0] as string;
}
