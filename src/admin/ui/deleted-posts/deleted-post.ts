import { api } from '../api/client.js';
import type { PostRow } from '../api/posts.js';
import type { Author } from '../changes/change-columns.js';

export interface DeletedPost extends PostRow {
  readonly deleted_at: string;
  readonly author: Author;
}

/** Brings deleted posts back under their own ids, all or none. */
export function restorePosts(ids: readonly number[]): Promise<{ restored: number[] }> {
  return api.json('admin/api/restorations/', { method: 'POST', json: { post_ids: ids } });
}

/** Deletes a post with its history; only the change log knows then that there was one. */
export async function purgePost(id: number): Promise<void> {
  await api.send(`admin/api/deleted-posts/${id}/`, { method: 'DELETE' });
}
