import { Box, Typography } from '@mui/material';
import { type ReactNode, useMemo, useRef } from 'react';
import { useSearchParams } from 'react-router';
import type { RevisionDto } from '../../revisions.controller.js';
import { KEYS } from '../api/keys.js';
import { hasStatus } from '../api/problem.js';
import { useMay } from '../api/roles.js';
import { ActionChip, AuthorName } from '../changes/change-columns.js';
import { ConfirmDialog, useDialog } from '../shell/dialogs.js';
import { actionColumn, momentColumn, UserText } from '../shell/list/columns.js';
import { type Column, DataTable } from '../shell/list/data-table.js';
import type { ListRows } from '../shell/list/list-rows.js';
import { Pages } from '../shell/list/pages.js';
import { useChangeParameters, usePlace } from '../shell/list/url-filters.js';
import { notify } from '../shell/notices.js';
import { sendChange } from '../shell/send-change.js';
import { useStable } from '../shell/use-stable.js';
import { Comparison } from './comparison.js';
import { LIMIT, revisionsPath } from './revision.js';

interface VersionsProps {
  readonly postId: number;
  readonly page: ListRows<RevisionDto>;
  readonly newest: RevisionDto | undefined;
}

/** What changed in a version, and all versions. */
export function Versions({ postId, page: { rows, cursors }, newest }: VersionsProps): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  const [search] = useSearchParams();
  const change = useChangeParameters();
  const { start } = usePlace();
  const mayRestore = useMay()('editor');
  const [dialog, open] = useDialog();
  const current = newest?.action === 'deleted' ? undefined : newest?.number;

  /** The version before, if it is kept. */
  const before = (number: number): number | undefined =>
    rows.find((row) => row.number < number)?.number ?? (cursors.next === undefined ? undefined : number - 1);
  const to = numberIn(search, 'to') ?? rows[0]?.number ?? 1;
  const from = before(to);

  const compare = useStable((number: number): void => {
    change({ to: number }, { keepsPlace: true });
    heading.current?.focus();
  });
  const columns = useMemo(() => {
    const restore = (number: number, last: number): void =>
      open(<RestoreDialog postId={postId} number={number} newest={last} />);
    return columnsOf(current, compare, mayRestore ? restore : undefined);
  }, [postId, current, compare, mayRestore, open]);

  return (
    <>
      <Box component="section" aria-labelledby="comparison" sx={{ mb: 4 }}>
        <Typography
          variant="h2"
          id="comparison"
          ref={heading}
          tabIndex={-1}
          sx={{ mb: 1.5, outline: 'none' }}
        >
          {from === undefined ? `Version ${to}` : `From version ${from} to version ${to}`}
        </Typography>
        <Comparison postId={postId} from={from} to={to} />
      </Box>
      <Box component="section" aria-labelledby="versions">
        <Typography variant="h2" id="versions" sx={{ mb: 1.5 }}>
          Versions
        </Typography>
        <DataTable
          label="Versions, newest first"
          rows={rows}
          keyOf={({ number }) => number}
          columns={columns}
        />
        {dialog}
        <Pages start={start} cursors={cursors} shown={rows.length} limit={LIMIT} />
      </Box>
    </>
  );
}

/**
 * The columns of the versions.
 *
 * @param current the number of the current version; undefined for a deleted post
 * @param restore opens the dialog that restores a version, if `newest` is still the newest one
 */
function columnsOf(
  current: number | undefined,
  compare: (number: number) => void,
  restore: ((number: number, newest: number) => void) | undefined,
): readonly Column<RevisionDto>[] {
  return [
    {
      label: 'Version',
      isHeader: true,
      render: ({ number }) => (number === current ? `${number} (current)` : number),
    },
    { label: 'What', render: ({ action }) => <ActionChip action={action} /> },
    { label: 'Who', render: ({ author }) => <AuthorName author={author} /> },
    { ...momentColumn<RevisionDto>('When', ({ at }) => at), width: 190 },
    { label: 'Title', render: ({ title }) => <UserText text={title} /> },
    actionColumn(
      ({ number }) => `version ${number}`,
      ({ number }) => [
        { label: 'What changed', run: () => compare(number) },
        restore !== undefined &&
          current !== undefined &&
          number !== current && { label: 'Restore', run: () => restore(number, current) },
      ],
    ),
  ];
}

function numberIn(search: URLSearchParams, name: string): number | undefined {
  const number = Number(search.get(name) ?? Number.NaN);
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

type RestoreDialogProps = Readonly<Record<'postId' | 'number' | 'newest', number>>;

/** Restores the content of a version after a confirmation, if `newest` is still the newest one. */
function RestoreDialog({ postId, number, newest }: RestoreDialogProps): ReactNode {
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
    }
  };
  return (
    <ConfirmDialog
      title={`Restore version ${number}?`}
      text={`Title, date and text become those of version ${number}. The current version stays in the history.`}
      action="Restore"
      run={run}
    />
  );
}
