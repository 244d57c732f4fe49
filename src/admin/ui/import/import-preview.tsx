import { Alert, Box, Button, Checkbox, FormControlLabel, Link, Stack, Typography } from '@mui/material';
import { type ReactNode, useState } from 'react';
import { Link as RouterLink } from 'react-router';
import type { FileImportDto, ImportCheckDto } from '../../imports.controller.js';
import { FIELD } from '../api/posts.js';
import { shownText } from '../difference/difference-view.js';
import { UserText } from '../shell/list/columns.js';
import { type Column, DataTable } from '../shell/list/data-table.js';
import { Result } from '../shell/progress.js';
import { counted, isolated, numberText } from '../texts/texts.js';
import { useTimeZone } from '../time/time-zone.js';
import { Moment } from '../time/moment.js';

const DELIMITERS = { ',': 'commas', ';': 'semicolons', '\t': 'tabs' } as const;

export interface ImportPreviewProps {
  readonly check: ImportCheckDto;
  /** @param overrides whether rows are imported whose posts were changed or deleted after the export */
  readonly onImport: (overrides: boolean) => void;
}

export function ImportPreview({ check, onImport }: ImportPreviewProps): ReactNode {
  const { created, replaced, unchanged, skipped, titles, replacements, conflicts, encoding } = check;
  const [overrides, setOverrides] = useState(false);
  const count = created + replaced + (overrides ? skipped : 0);
  return (
    <Stack sx={{ gap: 2 }}>
      <Result severity={count > 0 ? 'success' : 'info'}>
        {(count > 0
          ? `${counted(count, 'post is', 'posts are')} ready to be imported.`
          : 'There is nothing to import.') +
          (replaced + unchanged + skipped > 0 ? ` ${countsText(check)}` : '')}
      </Result>
      <div>
        <Typography sx={{ overflowWrap: 'anywhere' }}>{fileText(check)}</Typography>
        {titles.length > 0 && (
          <Typography color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
            {`Some titles: ${titles.map(isolated).join(' · ')}`}
          </Typography>
        )}
        {encoding === 'Windows-1252' && (
          <Typography color="textSecondary">
            The file does not name its encoding. If letters of the titles are wrong, save it as “CSV UTF-8”.
          </Typography>
        )}
      </div>
      {skipped > 0 && (
        <div>
          <Alert severity="warning">
            {`${counted(skipped, 'post was', 'posts were')} changed or deleted after the export, and left out.`}
          </Alert>
          <FormControlLabel
            control={<Checkbox checked={overrides} onChange={({ target }) => setOverrides(target.checked)} />}
            label="Import these rows too: they replace the later changes, and deleted posts return under a new id"
          />
        </div>
      )}
      {count > 0 && (
        <Button variant="contained" onClick={() => onImport(overrides)} sx={{ alignSelf: 'start' }}>
          {`Import ${counted(count, 'post')}`}
        </Button>
      )}
      <FirstRows rows={check.rows} />
      <PostTable label="Changed or deleted after the export" posts={conflicts} count={skipped} />
      <PostTable label="Posts to be replaced" posts={replacements} count={replaced} />
    </Stack>
  );
}

/** `2 new, 1 replaced, 3 unchanged, 0 left out.` */
export function countsText(counts: ImportCheckDto | FileImportDto): string {
  const { created, replaced, unchanged, skipped } = counts;
  const parts = [
    `${numberText(created)} new`,
    `${numberText(replaced)} replaced`,
    `${numberText(unchanged)} unchanged`,
    skipped > 0 && `${numberText(skipped)} left out`,
  ];
  return `${parts.filter(Boolean).join(', ')}.`;
}

function fileText({ format, encoding, delimiter, columns }: ImportCheckDto): string {
  const parts = [
    `${format === 'csv' ? 'CSV' : 'NDJSON'} in ${encoding}`,
    delimiter && `cells separated by ${DELIMITERS[delimiter]}`,
    columns && `columns ${columns.join(', ')}`,
  ];
  return `${parts.filter(Boolean).join(', ')}.`;
}

type SampleRow = ImportCheckDto['rows'][number];

const SAMPLE_COLUMNS: readonly Column<SampleRow>[] = [
  { label: 'Row', render: ({ row }) => row },
  {
    label: FIELD.title.label,
    width: '30%',
    isHeader: true,
    render: ({ title }) => <UserText text={title} />,
  },
  {
    label: FIELD.pub_date.label,
    width: 200,
    render: ({ pub_date: date }) => (date === null ? 'None' : <Moment at={date} />),
  },
  { label: FIELD.body.label, render: ({ body }) => <UserText text={body} /> },
];

/** The first rows, as they would be stored: a spreadsheet may have rewritten them. */
function FirstRows({ rows }: { rows: readonly SampleRow[] }): ReactNode {
  const zone = useTimeZone();
  if (rows.length === 0) return null;
  return (
    <div>
      <Typography variant="h2" id="first-rows">
        The first rows
      </Typography>
      {rows.some(({ pub_date: date }) => date !== null) && (
        <Typography color="textSecondary">
          {`A date without a time zone is read as UTC, and one without a time as midnight. Dates are shown here in ${zone}.`}
        </Typography>
      )}
      <Box sx={{ mt: 1.5 }}>
        <DataTable label="The first rows" columns={SAMPLE_COLUMNS} rows={rows} keyOf={({ row }) => row} />
      </Box>
    </div>
  );
}

type AffectedPost = ImportCheckDto['conflicts'][number];

/** What a row changes in its post: old → new. */
function Changes({ changes }: { changes: AffectedPost['changes'] }): ReactNode {
  const zone = useTimeZone();
  return changes.map(({ field, before, after }) => (
    <Box key={field} sx={{ overflowWrap: 'anywhere', '& del': { color: 'text.secondary' } }}>
      <strong>{FIELD[field].label}</strong> <del dir="auto">{shownText(field, before, zone)}</del> →{' '}
      <ins dir="auto">{shownText(field, after, zone)}</ins>
    </Box>
  ));
}

const AFFECTED_COLUMNS: readonly Column<AffectedPost>[] = [
  { label: 'Row', render: ({ row }) => row },
  {
    label: 'Title',
    isHeader: true,
    render: ({ id, title, state }) =>
      state === 'deleted' ? (
        isolated(title)
      ) : (
        // In a new tab, because this page would lose the file.
        <Link component={RouterLink} to={`/posts/${id}/history`} target="_blank">
          {isolated(title)}
        </Link>
      ),
  },
  {
    label: 'Last change',
    render: ({ state, at }) => (
      <span>
        {state === 'deleted' ? 'Deleted ' : 'Changed '}
        <Moment at={at} />
      </span>
    ),
  },
  { label: 'In the file', render: ({ isEdited }) => inFileText(isEdited) },
  { label: 'Old → new', width: '40%', render: ({ changes }) => <Changes changes={changes} /> },
];

interface PostTableProps {
  readonly label: string;
  readonly posts: readonly AffectedPost[];
  /** How many there are, of which `posts` are the first. */
  readonly count: number;
}

function PostTable({ label, posts, count }: PostTableProps): ReactNode {
  if (posts.length === 0) return null;
  return (
    <div>
      <Typography variant="h2" sx={{ mb: 1.5 }}>
        {label}
      </Typography>
      {count > posts.length && (
        <Typography color="textSecondary">{`The first ${posts.length} of ${numberText(count)}.`}</Typography>
      )}
      <DataTable label={label} columns={AFFECTED_COLUMNS} rows={posts} keyOf={({ id }) => id} />
    </div>
  );
}

function inFileText(isEdited: boolean | undefined): string {
  if (isEdited === undefined) return 'Unknown what was exported';
  return isEdited ? 'Edited since the export' : 'As exported';
}
