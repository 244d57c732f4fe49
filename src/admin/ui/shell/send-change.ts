import type { ApiRequest } from '../api/api.js';
import { api, queryClient } from '../api/client.js';
import type { QueryKey } from '../api/keys.js';
import { hasStatus } from '../api/problem.js';
import { notify } from './notices.js';

/** Sends a change, reads again what it has changed, and says what was done. @param changed the key of the queries */
export async function sendChange(
  path: string,
  request: ApiRequest,
  changed: QueryKey,
  done: string,
): Promise<void> {
  try {
    await api.send(path, request);
  } catch (error) {
    // Another user was first: the page shows what is no longer there.
    if (hasStatus(error, 404, 412)) void queryClient.invalidateQueries({ queryKey: changed });
    throw error;
  }
  await queryClient.invalidateQueries({ queryKey: changed });
  notify(done);
}
