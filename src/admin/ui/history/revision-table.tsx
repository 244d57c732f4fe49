import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import type { RevisionDto } from '../../history/post-history.controller.js';
import { queryClient } from '../api/client.js';
import { useMay } from '../api/roles.js';
import { ActionChip, AuthorName } from '../changes/change-columns.js';
import { type Column, DataTable } from '../shell/list/data-table.js';
import { actionColumn, momentColumn } from '../shell/list/columns.js';
import { ConfirmDialog } from '../shell/dialogs.js';
import { notify } from '../shell/notices.js';
import { useDialog } from '../shell/use-dialog.js';
import { t } from '../texts/texts.js';
import { ChangedMeanwhile, restoreRevision } from './revision.js';

export interface RevisionTableProps {
  readonly postId: number;
  readonly revisions: readonly RevisionDto[];
  readonly newest: RevisionDto | undefined;
  readonly onCompare: (revision: RevisionDto) => void;
}

export function RevisionTable({ postId, revisions, newest, onCompare }: RevisionTableProps): ReactNode {
  const [dialog, open] = useDialog();
  const may = useMay();
  const current = newest?.action === 'deleted' ? undefined : newest?.number;

  const restore = async (number: number): Promise<void> => {
    if (current === undefined) return;
    try {
      await restoreRevision(postId, number, current);
      notify(t('history.restored', { number }));
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile)) throw error;
      notify(t('history.stale'), { type: 'warning' });
    }
    await queryClient.invalidateQueries();
  };
  const ask = ({ number }: RevisionDto): void =>
    open((close) => (
      <ConfirmDialog
        title={t('history.restoreTitle', { number })}
        action={t('deletedPosts.restore')}
        onClose={close}
        onConfirm={() => restore(number)}
      >
        <Typography>{t('history.restoreText', { number })}</Typography>
      </ConfirmDialog>
    ));

  return (
    <>
      <DataTable
        label={t('history.table')}
        columns={revisionColumns({ current, onCompare, onRestore: may('editor') ? ask : undefined })}
        rows={revisions}
        keyOf={(revision) => revision.number}
      />
      {dialog}
    </>
  );
}

export interface RevisionActions {
  /** The post's current revision; undefined for a deleted post. */
  readonly current: number | undefined;
  readonly onCompare: (revision: RevisionDto) => void;
  readonly onRestore: ((revision: RevisionDto) => void) | undefined;
}

function revisionColumns(actions: RevisionActions): Column<RevisionDto>[] {
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
    { id: 'title', label: t('fields.name.title'), render: ({ title }) => <span dir="auto">{title}</span> },
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
            label: t('deletedPosts.restore'),
            name: t('history.restoreOf', { number }),
            run: () => onRestore(revision),
          },
      ];
    }),
  ];
}
