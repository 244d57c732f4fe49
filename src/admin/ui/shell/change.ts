import type { ApiRequest } from '../api/api.js';
import { api, queryClient } from '../api/client.js';
import { notify } from './notices.js';

/**
 * Sends a change, reads again what pages show, and says what was done.
 *
 * @param list the path of the only list that changes; without it, everything is read again
 */
export async function sendChange(
  path: string,
  request: ApiRequest,
  done: string,
  list?: string,
): Promise<void> {
  await api.send(path, request);
  await queryClient.invalidateQueries(list === undefined ? {} : { queryKey: [list] });
  notify(done);
}
