import { dayAfter, type DayRange, isDay } from './calendar.js';

export const COLUMNS = ['id', 'title', 'pub_date', 'excerpt'] as const;
export type Column = (typeof COLUMNS)[number];

export const PAGE_SIZES = [10, 25, 50, 100, 200] as const;

/** As the API writes them. */
export const ORDERINGS = ['-pub_date', 'pub_date', 'title', '-title', '-id', 'id'] as const;
export type Ordering = (typeof ORDERINGS)[number];
export type SortField = Exclude<Ordering, `-${string}`>;

/** Which posts the list shows, and how. All of it stands in the URL, so that a reload or a sent link shows the same. */
export interface ListState extends DayRange {
  readonly search: string;
  readonly sort: { readonly field: SortField; readonly order: 'ASC' | 'DESC' };
  readonly limit: number;
  /** Of the page; the first page has none. */
  readonly cursor: string | undefined;
  readonly columns: readonly Column[];
}

export const DEFAULT_STATE: ListState = {
  search: '',
  from: '',
  to: '',
  sort: { field: 'pub_date', order: 'DESC' },
  limit: 25,
  cursor: undefined,
  columns: ['title', 'pub_date', 'excerpt'],
};

/** Reads the state from a URL. What it does not say, or says badly, is as by default. */
export function readState(parameters: URLSearchParams): ListState {
  const get = (name: string): string => parameters.get(name) ?? '';
  const ordering = ORDERINGS.find((each) => each === get('ordering'));
  const limit = Number(get('limit'));
  const columns = get('columns').split(',');
  return {
    search: get('search'),
    from: isDay(get('from')) ? get('from') : '',
    to: isDay(get('to')) ? get('to') : '',
    sort: ordering === undefined ? DEFAULT_STATE.sort : sortOf(ordering),
    limit: PAGE_SIZES.find((size) => size === limit) ?? DEFAULT_STATE.limit,
    cursor: get('cursor') || undefined,
    columns: parameters.has('columns')
      ? COLUMNS.filter((column) => column === 'title' || columns.includes(column))
      : DEFAULT_STATE.columns,
  };
}

/** Writes the state as a URL's query. What is as by default is left out. */
export function writeState(state: ListState): URLSearchParams {
  const parameters = new URLSearchParams();
  const set = (name: string, value: string, byDefault: string): void => {
    if (value !== byDefault) parameters.set(name, value);
  };
  set('search', state.search, '');
  set('from', state.from, '');
  set('to', state.to, '');
  set('ordering', orderingOf(state), orderingOf(DEFAULT_STATE));
  set('limit', String(state.limit), String(DEFAULT_STATE.limit));
  set('columns', state.columns.join(), DEFAULT_STATE.columns.join());
  set('cursor', state.cursor ?? '', '');
  return parameters;
}

/** The state after a change. Whatever makes it another list starts at that list's first page. */
export function changeState(state: ListState, change: Partial<ListState>): ListState {
  const isSameList = Object.keys(change).every((name) => name === 'columns' || name === 'cursor');
  return { ...state, ...(!isSameList && { cursor: undefined }), ...change };
}

/** Which posts: the parameters of the posts API, and the members of a bulk deletion's `filter`. */
export interface PostFilter {
  readonly search?: string;
  readonly pub_date_after?: string;
  readonly pub_date_before?: string;
}

export function filterOf({ search, from, to }: Pick<ListState, 'search' | 'from' | 'to'>): PostFilter {
  const before = to === '' ? undefined : dayAfter(to);
  return {
    // A search for nothing is refused.
    ...(search.trim() !== '' && { search }),
    ...(from !== '' && { pub_date_after: from }),
    ...(before !== undefined && { pub_date_before: before }),
  };
}

export function isFiltered(state: ListState): boolean {
  return Object.keys(filterOf(state)).length > 0;
}

export function orderingOf({ sort }: Pick<ListState, 'sort'>): Ordering {
  return `${sort.order === 'DESC' ? '-' : ''}${sort.field}`;
}

export function sortOf(ordering: Ordering): ListState['sort'] {
  const isDescending = ordering.startsWith('-');
  return {
    field: (isDescending ? ordering.slice(1) : ordering) as SortField,
    order: isDescending ? 'DESC' : 'ASC',
  };
}
