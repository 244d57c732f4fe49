import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import LinearProgress from '@mui/material/LinearProgress';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { queryClient } from '../../api/client.js';
import { countPosts } from '../../api/post-requests.js';
import { POSTS_PATH } from '../../api/posts.js';
import { hasStatus } from '../../api/problem.js';
import { TitledDialog } from '../../shell/dialogs.js';
import { Failure } from '../../shell/failure.js';
import { Loading } from '../../shell/loaded.js';
import { notify } from '../../shell/notices.js';
import { numberText } from '../../texts/numbers.js';
import { t } from '../../texts/texts.js';
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
  const canStart =
    count !== undefined && count > 0 && (!isAll || typed.replaceAll(/\D/g, '') === String(count));

  const close = (): void => {
    if (isRunning) return;
    void queryClient.invalidateQueries({ queryKey: [POSTS_PATH] });
    onClose(isBegun);
  };

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
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
      type: 'success',
      ...(canUndo && { action: undoDeletion(ids) }),
    });
    onClose(true);
  };

  return (
    <TitledDialog title={t('deletion.many.title', counted)} open onClose={close} maxWidth="sm">
      <form onSubmit={(event) => void submit(event)}>
        <DialogContent sx={{ pt: 0 }}>
          {isAll && matching.isPending && <Loading />}
          {isAll && matching.error !== null && (
            <Failure error={matching.error} retry={() => void matching.refetch()} />
          )}
          {isOtherCount && count !== undefined && !isRunning && (
            <Alert severity="warning" role="alert" sx={{ mb: 2 }}>
              {t('deletion.many.otherCount', { count: numberText(count) })}
            </Alert>
          )}
          {error !== undefined && !isOtherCount && <Failure error={error} />}
          {isBegun && !isOtherCount ? (
            <DeletionProgress progress={progress} isRunning={isRunning} isStopped={isStopped} />
          ) : (
            count !== undefined && (
              <>
                <DialogContentText>
                  {t(
                    isAll
                      ? Object.keys(filter).length > 0
                        ? 'deletion.many.textAll'
                        : 'deletion.many.textEvery'
                      : 'deletion.many.text',
                  )}
                </DialogContentText>
                {isAll && (
                  <TextField
                    autoFocus
                    label={t('deletion.many.confirm', { count: numberText(count) })}
                    value={typed}
                    onChange={({ target }) => setTyped(target.value)}
                    autoComplete="off"
                    sx={{ mt: 2.5 }}
                    slotProps={{ htmlInput: { inputMode: 'numeric' } }}
                  />
                )}
              </>
            )
          )}
        </DialogContent>
        <DialogActions sx={{ px: 3, pb: 2.5 }}>
          {isRunning ? (
            <Button onClick={stop}>{t('lists.stop')}</Button>
          ) : (
            <Button onClick={close} autoFocus={!isAll}>
              {t(isBegun && !isOtherCount ? 'shell.close' : 'lists.cancel')}
            </Button>
          )}
          {(!isBegun || isOtherCount) && (
            <Button type="submit" variant="contained" color="error" disabled={!canStart}>
              {t('deletion.many.action', counted)}
            </Button>
          )}
        </DialogActions>
      </form>
    </TitledDialog>
  );
}

export interface DeletionProgressProps {
  readonly progress: BulkDeletionProgress | undefined;
  readonly isRunning: boolean;
  readonly isStopped: boolean;
}

/** The progress or the result of a bulk deletion. */
function DeletionProgress({ progress, isRunning, isStopped }: DeletionProgressProps): ReactNode {
  const percent = progress && progress.total > 0 ? Math.floor((progress.deleted / progress.total) * 100) : 0;
  const text = isRunning
    ? 'deletion.many.progressText'
    : isStopped
      ? 'deletion.many.stopped'
      : 'deletion.many.failed';
  return (
    <>
      <LinearProgress
        variant={progress === undefined ? 'indeterminate' : 'determinate'}
        value={percent}
        aria-label={t('deletion.many.progress')}
        sx={{ my: 2, height: 8, borderRadius: 1 }}
      />
      <Typography role="status" sx={{ fontVariantNumeric: 'tabular-nums' }}>
        {progress && t(text, { deleted: numberText(progress.deleted), total: numberText(progress.total) })}
      </Typography>
    </>
  );
}
