import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useNotify } from 'react-admin';
import { api } from '../../api/client.js';
import { useFailureText } from '../../shell/failure.js';
import type { NoticeAction } from '../../shell/notices.js';
import { useTexts } from '../../texts/texts.js';

/** So many posts can be restored with one request. */
export const MAX_RESTORED = 1_000;

/** Brings posts back under their ids. */
export function restorePosts(ids: readonly number[]): Promise<{ restored: number[] }> {
  return api.json('admin/api/restorations/', { method: 'POST', json: { post_ids: ids } });
}

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
            await queryClient.invalidateQueries({ queryKey: ['posts'] });
          })
          .catch((error: unknown) => notify(failureText(error), { type: 'error' }));
      },
    }),
    [t, notify, failureText, queryClient],
  );
}
