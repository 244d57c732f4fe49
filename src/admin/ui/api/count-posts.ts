import { api } from './client.js';
import { POSTS_PATH } from './posts.js';

/** How many posts match the parameters of the posts API. */
export async function countPosts(
  parameters: Readonly<Record<string, string | undefined>>,
  signal?: AbortSignal,
): Promise<number> {
  const response = await api.send(POSTS_PATH, {
    query: { ...parameters, limit: 1, fields: 'id' },
    headers: { Prefer: 'count=exact' },
    signal,
  });
  return Number(response.headers.get('X-Total-Count'));
}
