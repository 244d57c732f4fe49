import type { RestorationDto } from '../../history/deleted-posts.controller.js';
import { api } from '../api/client.js';

/** Restores deleted posts under their ids, all or none. */
export function restorePosts(ids: readonly number[]): Promise<RestorationDto> {
  return api.json('admin/api/restorations/', { method: 'POST', json: { post_ids: ids } });
}

/**
 * Purges posts and their history, all or none. Only the change log records that they existed. The user has typed the
 * number of several posts, and the service compares it.
 */
export async function purgePosts(ids: readonly number[]): Promise<void> {
  if (ids.length === 1) await api.send(`admin/api/deleted-posts/${ids[0]}/`, { method: 'DELETE' });
  else await api.send('admin/api/purges/', { method: 'POST', json: { post_ids: ids, count: ids.length } });
}
