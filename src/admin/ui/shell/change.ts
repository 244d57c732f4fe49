import type { ApiRequest } from '../api/api.js';
import { api, queryClient } from '../api/client.js';
import { notify } from './notices.js';

/** Sends a change, reads again what pages show, and says what was done. */
export async function sendChange(path: string, request: ApiRequest, done: string): Promise<void> {
  await api.send(path, request);
  await queryClient.invalidateQueries();
  notify(done);
}
