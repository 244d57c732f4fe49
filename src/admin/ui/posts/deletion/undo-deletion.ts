import type { MAX_POST_IDS } from '../../../input-rules.js';
import { queryClient } from '../../api/client.js';
import { POSTS_PATH } from '../../api/posts.js';
import { restorePosts } from '../../deleted-posts/deleted-post.js';
import { type NoticeAction, notify, notifyFailure } from '../../shell/notices.js';
import { t } from '../../texts/texts.js';

/** The most posts that one request can restore. */
export const MAX_RESTORED: typeof MAX_POST_IDS = 1_000;

/** The "Undo" button of a deletion's notice. */
export function undoDeletion(ids: readonly number[]): NoticeAction {
  return {
    label: t('deletion.undo'),
    run: () => void notifyFailure(undo(ids)),
  };
}

async function undo(ids: readonly number[]): Promise<void> {
  const { restored } = await restorePosts(ids);
  notify(t('deletion.restored', { smart_count: restored.length }));
  await queryClient.invalidateQueries({ queryKey: [POSTS_PATH] });
}
