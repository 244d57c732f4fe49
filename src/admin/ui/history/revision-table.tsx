import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useNotify } from 'react-admin';
import { hasStatus } from '../api/problem.js';
import { ConfirmDialog } from '../shell/confirm-dialog.js';
import { DataTable } from '../shell/data-table.js';
import { useTexts } from '../texts/texts.js';
import type { LivingPost } from './living-post.js';
import { restoreRevision, type Revision } from './revision.js';
import { useRevisionColumns } from './revision-columns.js';

/** The post was changed after its versions were listed. */
class Stale extends Error {}

export interface RevisionTableProps {
  readonly postId: number;
  readonly revisions: readonly Revision[];
  readonly living: LivingPost | undefined;
  readonly isFirstPage: boolean;
  readonly onCompare: (revision: Revision) => void;
}

export function RevisionTable({
  postId,
  revisions,
  living,
  isFirstPage,
  onCompare,
}: RevisionTableProps): ReactNode {
  const t = useTexts();
  const notify = useNotify();
  const queryClient = useQueryClient();
  const [restoring, setRestoring] = useState<Revision>();
  const isLiving = living !== undefined && living !== 'deleted';
  const columns = useRevisionColumns({
    current: isLiving && isFirstPage ? revisions[0]?.number : undefined,
    canRestore: isLiving,
    onCompare,
    onRestore: setRestoring,
  });

  const restore = async ({ number }: Revision): Promise<void> => {
    if (!isLiving) return;
    try {
      // A version is numbered by the last part of its ETag: what is restored over is what the table shows.
      if (isFirstPage && !living.etag.endsWith(`-${revisions[0]?.number}"`)) throw new Stale();
      await restoreRevision(postId, number, living.etag);
      notify(t('history.restored', { number }), { type: 'success' });
    } catch (error) {
      if (!(error instanceof Stale || hasStatus(error, 412))) throw error;
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
        onConfirm={async () => {
          if (restoring !== undefined) await restore(restoring);
        }}
      >
        <Typography>{t('history.restoreText', { number })}</Typography>
      </ConfirmDialog>
    </>
  );
}
