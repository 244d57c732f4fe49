import type { DataProvider } from '@refinedev/core';
import simpleRest, { axiosInstance } from '@refinedev/simple-rest';

/** What Refine's provider asks, and what the Posts Service calls it. */
const FILTERS: Readonly<Record<string, string>> = { q: 'search', pub_date_gte: 'pub_date_after' };

/** Refine's simple REST provider, in the words of the Posts Service. */
export function postsDataProvider(baseUrl: string): DataProvider {
  const provider = simpleRest(baseUrl, axiosInstance);
  axiosInstance.interceptors.request.use((config) => {
    config.url = translate(config.url!);
    config.headers.set('Prefer', 'count=exact');
    return config;
  });
  return {
    ...provider,
    // A post is replaced: Refine's forms send all of its fields.
    update: (params) => provider.update({ ...params, meta: { ...params.meta, method: 'put' } }),
  };
}

/** `?_start=0&_end=10&_sort=title&_order=asc` becomes `?offset=0&limit=10&ordering=title`; paths end with a slash. */
function translate(url: string): string {
  const { origin, pathname, searchParams } = new URL(url);
  const query = new URLSearchParams();
  const {
    _start: start,
    _end: end,
    _sort: sort,
    _order: order,
    ...filters
  } = Object.fromEntries(searchParams);
  if (start !== undefined) query.set('offset', start);
  if (start !== undefined) query.set('limit', String(Number(end) - Number(start)));
  if (sort !== undefined) query.set('ordering', (order === 'desc' ? '-' : '') + sort);
  // `id=1&id=2` becomes `id=1,2`.
  for (const name of Object.keys(filters)) query.set(FILTERS[name] ?? name, searchParams.getAll(name).join());
  return `${origin}${pathname}/${query.size > 0 ? `?${query}` : ''}`;
}
