import { queryClient } from '../../api/client.js';
import { POSTS_PATH } from '../../api/posts.js';
import { restorePosts } from '../../deleted-posts/deleted-post.js';
import { failureText } from '../../shell/failure.js';
import { type NoticeAction, notify } from '../../shell/notices.js';
import { t } from '../../texts/texts.js';

/** The most posts that one request can restore. */
export const MAX_RESTORED = 1_000;

/** The "Undo" button of a deletion's notice. */
export function undoDeletion(ids: readonly number[]): NoticeAction {
  return {
    label: t('deletion.undo'),
    run: () => {
      restorePosts(ids)
        .then(async ({ restored }) => {
          notify(t('deletion.restored', { smart_count: restored.length }));
          await queryClient.invalidateQueries({ queryKey: [POSTS_PATH] });
        })
        .catch((error: unknown) => notify(failureText(error), { type: 'error' }));
    },
  };
}
