import Typography from '@mui/material/Typography';
import { type ReactNode, useState } from 'react';
import { queryClient } from '../api/client.js';
import { notify } from '../shell/notices.js';
import { ConfirmDialog } from '../shell/confirm-dialog.js';
import { DataTable } from '../shell/data-table.js';
import { t } from '../texts/texts.js';
import { ChangedMeanwhile, restoreRevision, type Revision } from './revision.js';
import { revisionColumns } from './revision-columns.js';

export interface RevisionTableProps {
  readonly postId: number;
  readonly revisions: readonly Revision[];
  readonly newest: Revision | undefined;
  readonly onCompare: (revision: Revision) => void;
}

export function RevisionTable({ postId, revisions, newest, onCompare }: RevisionTableProps): ReactNode {
  const [restoring, setRestoring] = useState<Revision>();
  const current = newest?.action === 'deleted' ? undefined : newest?.number;
  const columns = revisionColumns({ current, onCompare, onRestore: setRestoring });

  const restore = async (): Promise<void> => {
    if (restoring === undefined || current === undefined) return;
    try {
      await restoreRevision(postId, restoring.number, current);
      notify(t('history.restored', { number: restoring.number }));
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile)) throw error;
      notify(t('history.stale'), { type: 'warning' });
    }
    await queryClient.invalidateQueries();
  };

  const number = restoring?.number ?? 0;
  return (
    <>
      <DataTable
        label={t('history.table')}
        columns={columns}
        rows={revisions}
        keyOf={(revision) => revision.number}
      />
      <ConfirmDialog
        isOpen={restoring !== undefined}
        title={t('history.restoreTitle', { number })}
        action={t('history.restore')}
        onClose={() => setRestoring(undefined)}
        onConfirm={restore}
      >
        <Typography>{t('history.restoreText', { number })}</Typography>
      </ConfirmDialog>
    </>
  );
}
