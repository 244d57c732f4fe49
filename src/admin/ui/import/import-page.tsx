import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { type ReactNode, useState } from 'react';
import { RadioField } from '../shell/fields.js';
import { LeaveGuard } from '../shell/leave-guard.js';
import { Outcome } from '../shell/outcome.js';
import { Page } from '../shell/page.js';
import { WrongEncoding, wrongEncodingText } from './csv-file.js';
import type { CsvImport } from './csv-posts.js';
import { CsvSettings, SampleTable } from './csv-settings.js';
import { FileChooser } from './file-chooser.js';
import {
  guessPlan,
  type ImportPlan,
  isJsonArray,
  isWorkbook,
  KINDS,
  mappingFor,
  type Sample,
  sampleOf,
  withGuessedDates,
} from './import-file.js';
import { ImportOutcome } from './import-outcome.js';
import { useImport } from './use-import.js';

interface Chosen {
  readonly file: File;
  readonly plan: ImportPlan;
  readonly sample: Sample;
  readonly isArray: boolean;
}

/** The import page: choose a file and its columns, check it, import all posts. */
export function ImportPage(): ReactNode {
  const importing = useImport();
  const [chosen, setChosen] = useState<Chosen>();
  const [unreadable, setUnreadable] = useState<string>();
  const [isIncomplete, setIncomplete] = useState(false);
  const { isRunning } = importing;

  const adopt = async (file: File, plan: ImportPlan): Promise<void> => {
    importing.reset();
    setIncomplete(false);
    const sample = await sampleOf(file, plan.csv);
    setChosen({ file, plan, sample, isArray: plan.kind === 'ndjson' && (await isJsonArray(file)) });
  };
  const choose = async (file: File): Promise<void> => {
    setUnreadable(undefined);
    try {
      if (await isWorkbook(file)) {
        setChosen(undefined);
        setUnreadable(
          'This is a workbook of a spreadsheet program. Save it there as CSV, and choose the CSV file.',
        );
        return;
      }
      await adopt(file, await guessPlan(file));
    } catch (error) {
      // The user chose a folder, or the file no longer exists.
      setChosen(undefined);
      setUnreadable(`The file could not be read: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const check = (): void => {
    if (chosen === undefined) return;
    const { plan, file } = chosen;
    const isPartial = plan.csv.mapping.title === undefined || plan.csv.dates.order === undefined;
    if (plan.kind === 'csv' && isPartial) return setIncomplete(true);
    void importing.check(file, plan);
  };

  return (
    <Page title="Import">
      <LeaveGuard
        isDirty={isRunning}
        question={{
          title: 'Stop the import?',
          text: 'It ends when you leave this page, and nothing is imported unless the service has the whole file already.',
        }}
      />
      <Stack sx={{ gap: 3 }}>
        <Typography color="textSecondary">
          Imports posts from a CSV or NDJSON file: all of them, or none.
        </Typography>
        <FileChooser file={chosen?.file} isDisabled={isRunning} onChoose={(file) => void choose(file)} />
        {unreadable !== undefined && (
          <Alert severity="error" role="alert">
            {unreadable}
          </Alert>
        )}
        {chosen && (
          <>
            <PlanForm chosen={chosen} isIncomplete={isIncomplete} isDisabled={isRunning} onPlan={adopt} />
            {importing.state.step !== 'done' && !chosen.isArray && (
              <Stack direction="row" sx={{ gap: 1.5, alignItems: 'center', flexWrap: 'wrap' }}>
                <Button
                  variant="contained"
                  onClick={check}
                  disabled={isRunning || importing.state.step === 'ready'}
                >
                  Check the file
                </Button>
                <Typography variant="body2" color="textSecondary">
                  The check stores nothing.
                </Typography>
              </Stack>
            )}
            <Outcome step={importing.state.step}>
              <ImportOutcome importing={importing} onCheck={check} />
            </Outcome>
          </>
        )}
      </Stack>
    </Page>
  );
}

interface PlanFormProps {
  readonly chosen: Chosen;
  readonly isIncomplete: boolean;
  readonly isDisabled: boolean;
  readonly onPlan: (file: File, plan: ImportPlan) => Promise<void>;
}

function PlanForm({ chosen, isIncomplete, isDisabled, onPlan }: PlanFormProps): ReactNode {
  const { file, plan, sample, isArray } = chosen;
  const rows = 'rows' in sample ? sample.rows : [];
  /** A different date column or CSV format may change the order of the dates. */
  const change = async (csv: CsvImport): Promise<void> => {
    const isSame =
      csv.mapping.pub_date === plan.csv.mapping.pub_date &&
      csv.encoding === plan.csv.encoding &&
      csv.delimiter === plan.csv.delimiter;
    await onPlan(file, { ...plan, csv: isSame ? csv : await withGuessedDates(file, csv) });
  };
  return (
    <Stack component="fieldset" disabled={isDisabled} sx={{ gap: 2, border: 0, m: 0, p: 0, minWidth: 0 }}>
      <RadioField
        label="The file is"
        value={plan.kind}
        options={KINDS.map((kind) => [
          kind,
          kind === 'csv' ? 'CSV: a table' : 'NDJSON: a post in JSON on each line',
        ])}
        onChange={(kind) => void onPlan(file, { ...plan, kind })}
      />
      {isArray && (
        <Alert severity="error">
          The file is a JSON array. NDJSON has one post a line, without brackets and commas around it.
        </Alert>
      )}
      {plan.kind === 'csv' && (
        <>
          <CsvSettings
            csv={plan.csv}
            columns={rows[0]?.cells ?? []}
            isIncomplete={isIncomplete}
            onChange={(csv) => void change(csv)}
            onChangeFormat={(format) =>
              void mappingFor(file, format).then((mapping) => change({ ...plan.csv, ...format, mapping }))
            }
          />
          {plan.csv.hasHeader && rows.length > 0 && Object.keys(plan.csv.mapping).length === 0 && (
            <Alert severity="info">
              The first row has no known names of columns, such as title and body. Choose the columns below,
              and say above whether this row is a post.
            </Alert>
          )}
          {plan.csv.encoding === 'windows-1252' && (
            <Alert severity="info">
              The file is not UTF-8 but seems to be Windows-1252. Check the letters in the preview below.
            </Alert>
          )}
          <SampleOrFault sample={sample} plan={plan} />
        </>
      )}
    </Stack>
  );
}

function SampleOrFault({ sample, plan: { csv } }: { sample: Sample; plan: ImportPlan }): ReactNode {
  if ('fault' in sample) {
    const { fault } = sample;
    return (
      <Alert severity="error" role="alert">
        {fault instanceof WrongEncoding
          ? wrongEncodingText(fault.encoding)
          : `The file could not be read: ${String(fault)}`}
      </Alert>
    );
  }
  if (sample.rows.length === 0) return <Alert severity="info">The file has no rows.</Alert>;
  return (
    <div>
      <Typography variant="h2" sx={{ mb: 1.5 }}>
        The first rows of the file
      </Typography>
      <SampleTable csv={csv} rows={sample.rows} />
    </div>
  );
}
