import type { DataProvider } from '@refinedev/core';
import simpleRest, { axiosInstance } from '@refinedev/simple-rest';

/** The service's parameter for each filter of Refine's provider. */
const FILTERS: Readonly<Record<string, string>> = { q: 'search', pub_date_gte: 'pub_date_after' };

/** Refine's simple REST provider, adapted to the Posts Service. */
export function postsDataProvider(baseUrl: string): DataProvider {
  const provider = simpleRest(baseUrl, axiosInstance);
  axiosInstance.interceptors.request.use((config) => {
    config.url = translate(config.url!);
    config.headers.set('Prefer', 'count=exact');
    return config;
  });
  return {
    ...provider,
    // Refine's forms send all fields, so PUT fits.
    update: (params) => provider.update({ ...params, meta: { ...params.meta, method: 'put' } }),
  };
}

/**
 * Translates `?_start=0&_end=10&_sort=title&_order=asc` to `?offset=0&limit=10&ordering=title`. Paths end with a slash.
 */
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
