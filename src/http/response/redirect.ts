import { ApiResponse } from './api-response.js';

/**
 * 308: the same at its canonical path. 303: the browsable form, for clients that prefer HTML.
 *
 * @param url may have a fragment, before which the query is inserted
 */
export function redirectTo(status: 303 | 308, url: string, query: string): ApiResponse {
  const [beforeFragment, fragment = ''] = url.split(/(?=#)/);
  const location = `${beforeFragment}${query === '' ? '' : `?${query}`}${fragment}`;
  const headers = {
    Location: location,
    'Cache-Control': 'no-cache',
    ...(status === 303 && { Vary: 'Accept' }),
  };
  return new ApiResponse({ status, headers, body: '' });
}
