import { Alert, Button, Stack, Typography } from '@mui/material';
import { type ReactNode, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { Failure } from '../shell/failure.js';
import { SelectField } from '../shell/fields.js';
import { LeaveGuard } from '../shell/leave-guard.js';
import { Page } from '../shell/page.js';
import { Outcome, Progress } from '../shell/progress.js';
import { counted, quoted } from '../texts/texts.js';
import { momentText } from '../time/dates.js';
import { useTimeZone } from '../time/time-zone.js';
import { type ExportFormat, useExport } from './use-export.js';

/** The filters of the list. */
const MEMBERS = ['search', 'pub_date_after', 'pub_date_before'] as const;
type Filter = Readonly<Partial<Record<(typeof MEMBERS)[number], string>>>;

/** Exports all posts, or those of the list: the URL has its filters, the history entry the ids of selected posts. */
export function ExportPage(): ReactNode {
  const [search] = useSearchParams();
  const filter: Filter = Object.fromEntries(
    MEMBERS.flatMap((name) => (search.has(name) ? [[name, search.get(name)!]] : [])),
  );
  const state = useLocation().state as { readonly ids?: readonly number[] } | null;
  // The list of one post, found by its id.
  const ids = state?.ids ?? (search.has('id') ? [Number(search.get('id'))] : undefined);
  const isNarrowed = ids !== undefined || Object.keys(filter).length > 0;
  const [isSelection, setSelection] = useState(isNarrowed);
  const [format, setFormat] = useState<ExportFormat>('csv');
  const exporting = useExport();
  const filterText = textOf(filter, useTimeZone());
  const selectionText = ids ? `${counted(ids.length, 'that was', 'that were')} selected` : filterText;

  return (
    <Page title="Export">
      <LeaveGuard
        isDirty={exporting.isPending}
        question={{
          title: 'Stop the export?',
          text: 'It ends when you leave this page, and no file is saved.',
        }}
      />
      <Stack sx={{ gap: 3, alignItems: 'start' }}>
        <Typography color="textSecondary">Saves posts to a file, as of one moment.</Typography>
        {isNarrowed && (
          <SelectField
            label="Which posts"
            value={isSelection ? 'selection' : 'everything'}
            options={[
              ['selection', 'Posts of the list'],
              ['everything', 'All posts'],
            ]}
            onChange={(value) => setSelection(value === 'selection')}
            helperText={isSelection && selectionText}
            sx={{ maxWidth: 440 }}
          />
        )}
        <SelectField
          label="Format"
          value={format}
          options={Object.entries(FORMATS).map(([each, { name }]) => [each, name])}
          onChange={(value) => setFormat(value as ExportFormat)}
          helperText={FORMATS[format].help}
          sx={{ maxWidth: 440 }}
        />
        <Button
          variant="contained"
          disabled={exporting.isPending}
          onClick={() => exporting.mutate({ format, ...(isSelection && (ids ? { ids } : { filter })) })}
        >
          Export
        </Button>
        <Outcome step={exporting.status}>
          <ExportOutcome exporting={exporting} />
        </Outcome>
      </Stack>
    </Page>
  );
}

const FORMATS: Readonly<Record<ExportFormat, { readonly name: string; readonly help: string }>> = {
  csv: {
    name: 'CSV, for spreadsheets',
    help: 'Cells that a spreadsheet would execute as a formula get an apostrophe, which an import here removes.',
  },
  ndjson: {
    name: 'NDJSON, for programs',
    help: 'Exact, for an import here. Programs read and write posts by the API.',
  },
};

function ExportOutcome({ exporting }: { exporting: ReturnType<typeof useExport> }): ReactNode {
  const { status, data: posts, error, progress, stop } = exporting;
  if (status === 'pending') {
    return <Progress label="Saving posts" posts={progress} onStop={stop} />;
  }
  if (status === 'idle') return null;
  if (status === 'error' && error.name !== 'AbortError') {
    return (
      <Stack sx={{ gap: 1.5 }}>
        <Failure error={error} />
        <Typography>No file was saved.</Typography>
      </Stack>
    );
  }
  return (
    <Alert severity={posts ? 'success' : 'info'} role="status">
      {posts === undefined
        ? 'Stopped. No file was saved.'
        : `${counted(posts, 'post is', 'posts are')} saved.`}
    </Alert>
  );
}

function textOf({ search, pub_date_after, pub_date_before }: Filter, zone: string): string {
  const parts = [
    search && `with the words ${quoted(search)}`,
    pub_date_after && `from ${momentText(pub_date_after, zone)}`,
    pub_date_before && `before ${momentText(pub_date_before, zone)}`,
  ];
  return parts.filter(Boolean).join(', ');
}
