import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useNotify } from 'react-admin';
import { POSTS_PATH } from '../../api/posts.js';
import { restorePosts } from '../../deleted-posts/deleted-post.js';
import { useFailureText } from '../../shell/failure.js';
import type { NoticeAction } from '../../shell/notices.js';
import { useTexts } from '../../texts/texts.js';

/** So many posts can be restored with one request. */
export const MAX_RESTORED = 1_000;

/** Makes the "Undo" beside the notice of a deletion. */
export function useUndoDeletion(): (ids: readonly number[]) => NoticeAction {
  const t = useTexts();
  const notify = useNotify();
  const failureText = useFailureText();
  const queryClient = useQueryClient();
  return useCallback(
    (ids) => ({
      label: t('deletion.undo'),
      run: () => {
        restorePosts(ids)
          .then(async ({ restored }) => {
            notify(t('deletion.restored', { smart_count: restored.length }), { type: 'success' });
            await queryClient.invalidateQueries({ queryKey: [POSTS_PATH] });
          })
          .catch((error: unknown) => notify(failureText(error), { type: 'error' }));
      },
    }),
    [t, notify, failureText, queryClient],
  );
}
