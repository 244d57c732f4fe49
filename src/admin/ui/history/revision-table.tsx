import type { ReactNode } from 'react';
import type { RevisionDto } from '../../posts.controller.js';
import { queryClient } from '../api/client.js';
import { KEYS } from '../api/keys.js';
import { hasStatus } from '../api/problem.js';
import { useMay } from '../api/roles.js';
import { ActionChip, AuthorName } from '../changes/change-columns.js';
import { ConfirmDialog, useDialog } from '../shell/dialogs.js';
import { actionColumn, momentColumn, UserText } from '../shell/list/columns.js';
import { DataTable } from '../shell/list/data-table.js';
import { notify } from '../shell/notices.js';
import { sendChange } from '../shell/send-change.js';
import { revisionsPath } from './revision.js';

export interface RevisionTableProps {
  readonly postId: number;
  readonly revisions: readonly RevisionDto[];
  readonly newest: RevisionDto | undefined;
  readonly onCompare: (revision: RevisionDto) => void;
}

export function RevisionTable({ postId, revisions, newest, onCompare }: RevisionTableProps): ReactNode {
  const may = useMay();
  const [dialog, open] = useDialog();
  const current = newest?.action === 'deleted' ? undefined : newest?.number;
  return (
    <>
      <DataTable<RevisionDto>
        label="Versions, newest first"
        rows={revisions}
        keyOf={({ number }) => number}
        columns={[
          {
            label: 'Version',
            isHeader: true,
            isBareOnPhone: false,
            render: ({ number }) => (number === current ? `${number} (current)` : number),
          },
          { label: 'What', render: ({ action }) => <ActionChip action={action} /> },
          { label: 'Who', render: ({ author }) => <AuthorName author={author} /> },
          momentColumn('When', (revision: RevisionDto) => revision.at),
          { label: 'Title', render: ({ title }) => <UserText text={title} /> },
          actionColumn(
            ({ number }: RevisionDto) => `version ${number}`,
            (revision) => [
              { label: 'What changed', run: () => onCompare(revision) },
              may('editor') &&
                current !== undefined &&
                revision.number !== current && {
                  label: 'Restore',
                  run: () =>
                    open((close) => (
                      <RestoreDialog {...{ postId, close }} number={revision.number} newest={current} />
                    )),
                },
            ],
          ),
        ]}
      />
      {dialog}
    </>
  );
}

interface RestoreDialogProps {
  readonly postId: number;
  readonly number: number;
  readonly newest: number;
  readonly close: () => void;
}

/** Restores the content of a version after a confirmation, if `newest` is still the newest one. */
function RestoreDialog({ postId, number, newest, close }: RestoreDialogProps): ReactNode {
  const path = `${revisionsPath(postId)}${number}/restorations/`;
  const run = async (): Promise<void> => {
    const request = { method: 'POST', json: { newest } } as const;
    try {
      await sendChange(path, request, KEYS.posts, `Version ${number} is restored.`);
    } catch (error) {
      if (!hasStatus(error, 404, 412)) throw error;
      notify('The post was changed meanwhile. Look at what changed, then restore again.', {
        type: 'warning',
      });
      await queryClient.invalidateQueries({ queryKey: KEYS.posts });
    }
  };
  return (
    <ConfirmDialog
      title={`Restore version ${number}?`}
      text={`Title, date and text become those of version ${number}. The current version stays in the history.`}
      action="Restore"
      run={run}
      close={close}
    />
  );
}
