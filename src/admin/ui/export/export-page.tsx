import { Button, Stack, Typography } from '@mui/material';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { Failure } from '../shell/failure.js';
import { SelectField } from '../shell/fields.js';
import { LeaveGuard } from '../shell/leave-guard.js';
import { Page } from '../shell/page.js';
import { Outcome, Progress, Result } from '../shell/progress.js';
import { counted, quoted } from '../texts/texts.js';
import { momentText } from '../time/dates.js';
import { useTimeZone } from '../time/time-zone.js';
import { type ExportSelection, readExportSelection } from './export-selection.js';
import { type ExportFormat, useExport } from './use-export.js';

/** Exports all posts, or those of the list that the address names. */
export function ExportPage(): ReactNode {
  const { search, hash } = useLocation();
  const selection = readExportSelection(search, hash);
  return (
    <Page title="Export">
      {selection.isBroken ? (
        <BrokenSelection />
      ) : (
        <ExportForm key={JSON.stringify(selection)} {...selection} />
      )}
    </Page>
  );
}

/** The address names posts, but not which. It must not export all of them. */
function BrokenSelection(): ReactNode {
  return (
    <Stack sx={{ gap: 3, alignItems: 'start' }}>
      <Typography>The address does not say which posts to export. Select them in the list again.</Typography>
      <Button variant="contained" component={Link} to="/posts">
        Go to the posts
      </Button>
    </Stack>
  );
}

function ExportForm({ ids, filter }: Omit<ExportSelection, 'isBroken'>): ReactNode {
  const isNarrowed = ids !== undefined || Object.keys(filter).length > 0;
  const [isSelection, setSelection] = useState(isNarrowed);
  const [format, setFormat] = useState<ExportFormat>('csv');
  const exporting = useExport();
  const filterText = textOf(filter, useTimeZone());
  const selectionText = ids ? `${counted(ids.length, 'that was', 'that were')} selected` : filterText;

  return (
    <>
      <LeaveGuard
        isDirty={exporting.isPending}
        question={{
          title: 'Stop the export?',
          text: 'It ends when you leave this page, and no file is saved.',
        }}
      />
      <Stack sx={{ gap: 3, alignItems: 'start' }}>
        <Typography color="textSecondary">
          {isNarrowed
            ? 'Saves posts to a file, as of one moment.'
            : 'Saves all posts to a file, as of one moment. To save some of them, filter or select them in the list.'}
        </Typography>
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
    </>
  );
}

const FORMATS: Readonly<Record<ExportFormat, { readonly name: string; readonly help: string }>> = {
  csv: {
    name: 'CSV, for spreadsheets',
    help: 'Text that a spreadsheet would execute as a formula gets an apostrophe, which an import here removes.',
  },
  'csv-semicolon': {
    name: 'CSV with semicolons, for spreadsheets',
    help: 'Where numbers have a decimal comma, spreadsheets open it in columns. Formulas get an apostrophe, too.',
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
    <Result severity={posts ? 'success' : 'info'}>
      {posts === undefined
        ? 'Stopped. No file was saved.'
        : `${counted(posts, 'post is', 'posts are')} saved.`}
    </Result>
  );
}

function textOf(
  { search, pub_date_after, pub_date_before }: ExportSelection['filter'],
  zone: string,
): string {
  const parts = [
    search && `with the words ${quoted(search)}`,
    pub_date_after && `from ${momentText(pub_date_after, zone)}`,
    pub_date_before && `before ${momentText(pub_date_before, zone)}`,
  ];
  return parts.filter(Boolean).join(', ');
}
