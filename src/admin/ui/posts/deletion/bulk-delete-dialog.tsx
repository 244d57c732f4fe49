import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { queryClient } from '../../api/client.js';
import { countPosts } from '../../api/post-requests.js';
import { POSTS_PATH } from '../../api/posts.js';
import { hasStatus } from '../../api/problem.js';
import { isTyped, TitledDialog, TypedCount } from '../../shell/dialogs.js';
import { Failure } from '../../shell/failure.js';
import { Loaded } from '../../shell/loaded.js';
import { notify } from '../../shell/notices.js';
import { Progress } from '../../shell/progress.js';
import { numberText } from '../../texts/numbers.js';
import { t, type TextKey } from '../../texts/texts.js';
import type { PostFilter } from '../list/list-view.js';
import type { Selection } from '../../shell/list/selection.js';
import { type BulkDeletionProgress, useBulkDeletion } from './bulk-deletion.js';
import { MAX_RESTORED, undoDeletion } from './undo-deletion.js';

export interface BulkDeleteDialogProps {
  readonly selection: Selection;
  readonly filter: PostFilter;
  readonly onClose: (isDone: boolean) => void;
}

/**
 * Confirms a bulk deletion and shows its progress. To delete all matching posts, the user must type their number. The
 * service deletes only if that number is still correct.
 */
export function BulkDeleteDialog({ selection, filter, onClose }: BulkDeleteDialogProps): ReactNode {
  const isAll = selection.kind === 'all';
  const matching = useQuery({
    queryKey: ['count-to-delete', filter],
    queryFn: ({ signal }) => countPosts({ ...filter }, signal),
    enabled: isAll,
    gcTime: 0,
  });
  const count = isAll ? matching.data : selection.ids.size;
  const counted = { smart_count: count ?? 2, count: count === undefined ? '…' : numberText(count) };
  const [typed, setTyped] = useState('');
  const { isRunning, progress, error, isStopped, start, stop } = useBulkDeletion();
  const isBegun = isRunning || progress !== undefined;
  const isOtherCount = hasStatus(error, 409);
  const canStart = count !== undefined && count > 0 && (!isAll || isTyped(typed, count));
  const isAsking = !isBegun || isOtherCount;

  const close = (): void => {
    if (isRunning) return;
    void queryClient.invalidateQueries({ queryKey: [POSTS_PATH] });
    onClose(isBegun);
  };

  const submit = async (): Promise<void> => {
    if (!canStart) return;
    const last = await start(isAll ? { filter, count } : { ids: [...selection.ids] });
    if (last === undefined) {
      await matching.refetch();
      return;
    }
    await queryClient.invalidateQueries({ queryKey: [POSTS_PATH] });
    const ids = last.post_ids ?? [];
    const canUndo = ids.length === last.deleted && ids.length > 0 && ids.length <= MAX_RESTORED;
    notify(t('deletion.many.done', { smart_count: last.deleted, count: numberText(last.deleted) }), {
      ...(canUndo && { action: undoDeletion(ids) }),
    });
    onClose(true);
  };

  return (
    <TitledDialog
      title={t('deletion.many.title', counted)}
      onClose={close}
      maxWidth="sm"
      onSubmit={() => void submit()}
      actions={
        !isRunning && (
          <>
            <Button onClick={close} autoFocus={!isAll}>
              {t(isAsking ? 'lists.cancel' : 'shell.close')}
            </Button>
            {isAsking && (
              <Button type="submit" variant="contained" color="error" disabled={!canStart}>
                {t('deletion.many.action', counted)}
              </Button>
            )}
          </>
        )
      }
    >
      {isAll && <Loaded query={matching}>{() => null}</Loaded>}
      {isOtherCount && count !== undefined && !isRunning && (
        <Alert severity="warning" role="alert">
          {t('deletion.many.otherCount', { count: numberText(count) })}
        </Alert>
      )}
      {error !== undefined && !isOtherCount && <Failure error={error} />}
      {!isAsking && (
        <DeletionProgress progress={progress} onStop={isRunning ? stop : undefined} isStopped={isStopped} />
      )}
      {isAsking && count !== undefined && <Typography>{t(textFor(selection, filter))}</Typography>}
      {isAsking && count !== undefined && isAll && (
        <TypedCount autoFocus count={count} typed={typed} onType={setTyped} />
      )}
    </TitledDialog>
  );
}

function textFor({ kind }: Selection, filter: PostFilter): TextKey {
  if (kind === 'some') return 'deletion.many.text';
  return Object.keys(filter).length > 0 ? 'deletion.many.textAll' : 'deletion.many.textEvery';
}

export interface DeletionProgressProps {
  readonly progress: BulkDeletionProgress | undefined;
  /** Undefined when the deletion has ended. */
  readonly onStop: (() => void) | undefined;
  readonly isStopped: boolean;
}

/** The progress or the result of a bulk deletion. */
function DeletionProgress({ progress, onStop, isStopped }: DeletionProgressProps): ReactNode {
  const { deleted, total } = progress ?? { deleted: 0, total: 0 };
  const texts = { deleted: numberText(deleted), total: numberText(total) };
  if (onStop === undefined) {
    return (
      <Typography role="status">
        {t(isStopped ? 'deletion.many.stopped' : 'deletion.many.failed', texts)}
      </Typography>
    );
  }
  return (
    <Progress
      label={t('deletion.many.progress')}
      detail={t('deletion.many.progressText', texts)}
      share={progress && deleted / Math.max(1, total)}
      onStop={onStop}
    />
  );
}
