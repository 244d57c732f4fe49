import { type DataProvider, fetchUtils, HttpError } from 'ra-core';
import simpleRest from 'ra-data-simple-rest';

interface Problem {
  readonly detail: string;
  readonly errors?: readonly { readonly detail: string; readonly pointer?: string }[];
}

/**
 * react-admin's simple REST provider, adapted to the Posts Service. It remembers the ETag of each post that it has read
 * and sends it as If-Match. If two users edit the same post, the second save fails with 412 instead of overwriting the
 * first.
 */
export function postsDataProvider(baseUrl: string): DataProvider {
  const etags = new Map<string, string>();

  const httpClient = async (url: string, options: fetchUtils.Options = {}) => {
    const { target, isList } = translate(url);
    const isWrite = options.method === 'PUT' || options.method === 'DELETE';
    const etag = isWrite ? etags.get(target) : undefined;
    const sent = new Headers({ Accept: 'application/json' });
    if (options.body) sent.set('Content-Type', 'application/json');
    if (isList) sent.set('Prefer', 'count=exact');
    if (etag) sent.set('If-Match', etag);
    try {
      const response = await fetchUtils.fetchJson(target, { ...options, headers: sent });
      const current = response.headers.get('ETag');
      if (current && !isList) etags.set(response.headers.get('Location') ?? target, current);
      return response;
    } catch (error) {
      throw toReactAdminError(error);
    }
  };

  const provider = simpleRest(baseUrl, httpClient, 'X-Total-Count');
  return {
    ...provider,
    // The service does not return a deleted post, but react-admin expects it.
    async delete(resource, params) {
      await provider.delete(resource, params);
      return { data: params.previousData ?? ({ id: params.id } as never) };
    },
    async deleteMany(resource, { ids }) {
      for (const id of ids) await provider.delete(resource, { id });
      return { data: [...ids] };
    },
  };
}

/**
 * Translates `?sort=["title","ASC"]&range=[0,9]&filter={…}` to `?ordering=title&offset=0&limit=10&…`. Paths end with a
 * slash.
 */
function translate(url: string): { target: string; isList: boolean } {
  const { origin, pathname, searchParams } = new URL(url);
  const [sort, range, filter] = ['sort', 'range', 'filter'].map((name) =>
    JSON.parse(searchParams.get(name) ?? 'null'),
  );
  const query = new URLSearchParams();
  if (sort) query.set('ordering', (sort[1] === 'DESC' ? '-' : '') + sort[0]);
  if (range) query.set('offset', range[0]);
  if (range) query.set('limit', String(range[1] - range[0] + 1));
  for (const [name, value] of Object.entries(filter ?? {})) query.set(name, String(value));
  return { target: `${origin}${pathname}/${query.size > 0 ? `?${query}` : ''}`, isList: filter !== null };
}

/** Converts the problem to react-admin's error: its detail as the message, and each error at its form field. */
function toReactAdminError(error: unknown): unknown {
  if (!(error instanceof HttpError) || typeof error.body?.detail !== 'string') return error;
  const { detail, errors = [] } = error.body as Problem;
  const atFields = errors.flatMap(({ pointer, detail: text }) => (pointer ? [[pointer.slice(1), text]] : []));
  return new HttpError(detail, error.status, { ...error.body, errors: Object.fromEntries(atFields) });
}
