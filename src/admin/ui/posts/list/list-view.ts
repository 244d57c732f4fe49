import { startOfDay } from '../../time/input.js';

/** The excerpts of a page are asked for by the ids of its posts, of which the API takes 100. */
export const PAGE_SIZES = [10, 25, 50, 100] as const;

/** Values of the API's `ordering` parameter. */
const ORDERINGS = ['-pub_date', 'pub_date', 'title', '-title', '-modified', 'modified'] as const;

/** The view of the list: order and page size. The URL holds it. */
export interface ListView {
  readonly ordering: (typeof ORDERINGS)[number];
  readonly limit: number;
}

export const DEFAULT_VIEW: ListView = { ordering: '-pub_date', limit: 25 };

/** Reads the view from the URL. Missing and invalid values become defaults. */
export function readView(parameters: URLSearchParams): ListView {
  const limit = Number(parameters.get('limit'));
  return {
    ordering: ORDERINGS.find((each) => each === parameters.get('ordering')) ?? DEFAULT_VIEW.ordering,
    limit: PAGE_SIZES.find((size) => size === limit) ?? DEFAULT_VIEW.limit,
  };
}

export type ListFilters = Readonly<Record<'search' | 'from' | 'to', string>>;

/** Selects posts: parameters of a list, an export or a bulk deletion. `id`, of one post, excludes the others. */
export type PostFilter = Readonly<
  Partial<Record<'search' | 'id' | 'pub_date_after' | 'pub_date_before', string>>
>;

/** Converts days of the time zone to a range from the start of the first to the end of the last. */
export function filterOf({ search, from, to }: ListFilters, zone: string): PostFilter {
  const id = /^#([1-9]\d{0,14})$/.exec(search.trim())?.[1];
  if (id !== undefined) return { id };
  const after = startOfDay(from, zone);
  const before = startOfDay(to, zone, 1);
  return {
    // The service rejects a blank search.
    ...(search.trim() !== '' && { search }),
    ...(after !== undefined && { pub_date_after: after }),
    ...(before !== undefined && { pub_date_before: before }),
  };
}
