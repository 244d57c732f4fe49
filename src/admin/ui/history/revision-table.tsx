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
      notify(`Version ${number} is restored.`);
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile)) throw error;
      notify('The post was changed meanwhile. Look at what changed, then restore again.', {
        type: 'warning',
      });
    }
    await queryClient.invalidateQueries();
  };
  const ask = ({ number }: RevisionDto): void =>
    open((close) => (
      <ConfirmDialog
        title={`Restore version ${number}?`}
        action="Restore"
        onClose={close}
        onConfirm={() => restore(number)}
      >
        <Typography>{`Title, date and text become those of version ${number}. The current version stays in the history.`}</Typography>
      </ConfirmDialog>
    ));

  return (
    <>
      <DataTable
        label="Versions, newest first"
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
      label: 'Version',
      isHeader: true,
      isBareOnPhone: false,
      render: ({ number }) => (number === current ? `${number} (current)` : number),
    },
    { id: 'action', label: 'What', render: ({ action }) => <ActionChip action={action} /> },
    { id: 'author', label: 'Who', render: ({ author }) => <AuthorName author={author} /> },
    momentColumn('at', 'When', ({ at }) => at),
    { id: 'title', label: 'Title', render: ({ title }) => <span dir="auto">{title}</span> },
    actionColumn((revision) => {
      const { number } = revision;
      return [
        {
          label: 'What changed',
          name: `What changed in version ${number}`,
          run: () => onCompare(revision),
        },
        onRestore !== undefined &&
          current !== undefined &&
          number !== current && {
            label: 'Restore',
            name: `Restore version ${number}`,
            run: () => onRestore(revision),
          },
      ];
    }),
  ];
}
