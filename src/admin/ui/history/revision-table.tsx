import Typography from '@mui/material/Typography';
import { type ReactNode, useState } from 'react';
import { queryClient } from '../api/client.js';
import { useMay } from '../api/roles.js';
import { ActionChip, AuthorName } from '../changes/change-columns.js';
import { type Column, DataTable } from '../shell/list/data-table.js';
import { actionColumn, momentColumn } from '../shell/list/columns.js';
import { ConfirmDialog } from '../shell/dialogs.js';
import { notify } from '../shell/notices.js';
import { t } from '../texts/texts.js';
import { ChangedMeanwhile, restoreRevision, type Revision } from './revision.js';

export interface RevisionTableProps {
  readonly postId: number;
  readonly revisions: readonly Revision[];
  readonly newest: Revision | undefined;
  readonly onCompare: (revision: Revision) => void;
}

export function RevisionTable({ postId, revisions, newest, onCompare }: RevisionTableProps): ReactNode {
  const [restoring, setRestoring] = useState<Revision>();
  const may = useMay();
  const current = newest?.action === 'deleted' ? undefined : newest?.number;
  const columns = revisionColumns({
    current,
    onCompare,
    onRestore: may('editor') ? setRestoring : undefined,
  });

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

  return (
    <>
      <DataTable
        label={t('history.table')}
        columns={columns}
        rows={revisions}
        keyOf={(revision) => revision.number}
      />
      {restoring && (
        <ConfirmDialog
          title={t('history.restoreTitle', { number: restoring.number })}
          action={t('history.restore')}
          onClose={() => setRestoring(undefined)}
          onConfirm={restore}
        >
          <Typography>{t('history.restoreText', { number: restoring.number })}</Typography>
        </ConfirmDialog>
      )}
    </>
  );
}

export interface RevisionActions {
  /** The post's current revision; undefined for a deleted post. */
  readonly current: number | undefined;
  readonly onCompare: (revision: Revision) => void;
  readonly onRestore: ((revision: Revision) => void) | undefined;
}

function revisionColumns(actions: RevisionActions): Column<Revision>[] {
  const { current, onCompare, onRestore } = actions;
  return [
    {
      id: 'number',
      label: t('history.version'),
      isHeader: true,
      isBareOnPhone: false,
      render: ({ number }) => (number === current ? `${number} (${t('history.current')})` : number),
    },
    { id: 'action', label: t('lists.what'), render: ({ action }) => <ActionChip action={action} /> },
    { id: 'author', label: t('lists.who'), render: ({ author }) => <AuthorName author={author} /> },
    momentColumn('at', t('lists.when'), ({ at }) => at),
    { id: 'title', label: t('history.titleThen'), render: ({ title }) => <span dir="auto">{title}</span> },
    actionColumn((revision) => {
      const { number } = revision;
      return [
        {
          label: t('history.changes'),
          name: t('history.changesOf', { number }),
          run: () => onCompare(revision),
        },
        onRestore !== undefined &&
          current !== undefined &&
          number !== current && {
            label: t('history.restore'),
            name: t('history.restoreOf', { number }),
            run: () => onRestore(revision),
          },
      ];
    }),
  ];
}
