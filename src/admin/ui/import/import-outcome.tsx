import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import type { FileImportDto, ImportCheckDto } from '../../imports.controller.js';
import { FIELD, FIELDS } from '../api/posts.js';
import { Failure } from '../shell/failure.js';
import { runBulk } from '../shell/list/bulk.js';
import { type Column, DataTable } from '../shell/list/data-table.js';
import { Progress } from '../shell/progress.js';
import { numberText } from '../texts/numbers.js';
import { isolated, plural } from '../texts/texts.js';
import type { ChosenFile, Import, ImportState } from './use-import.js';

/** Shows the result of the check or the import, and the next actions. */
export function ImportOutcome({
  importing: { state, run, check, stop },
  chosen,
}: {
  importing: Import;
  chosen: ChosenFile;
}): ReactNode {
  switch (state.step) {
    case 'idle':
      return null;
    case 'checking':
    case 'importing':
      return <Progress label={progressLabel(state)} share={state.share} onStop={stop} />;
    case 'checked':
      return state.check.faults.length > 0 ? (
        <Stack sx={{ gap: 2 }}>
          <FaultTable faults={state.check.faults} />
          <CheckButton onCheck={() => check(chosen)} />
        </Stack>
      ) : (
        <Preview check={state.check} onRun={() => run(chosen)} />
      );
    case 'done':
      return <Done result={state.result} />;
    case 'stopped':
      return (
        <Stack sx={{ gap: 2 }}>
          <Alert severity={state.isUncertain ? 'warning' : 'info'} role="status">
            {state.isUncertain
              ? 'Stopped. If the service had just finished, the posts are imported: the change log says so.'
              : 'Stopped. Nothing was imported.'}
          </Alert>
          <CheckButton onCheck={() => check(chosen)} />
        </Stack>
      );
    default:
      return (
        <Stack sx={{ gap: 2 }}>
          {state.isUncertain && (
            <Alert severity="warning">
              The response did not arrive, so it is not known whether the posts were imported. Try again: they
              are imported at most once.
            </Alert>
          )}
          <Failure error={state.error} retry={state.retry} />
        </Stack>
      );
  }
}

function progressLabel({ step, share }: Extract<ImportState, { step: 'checking' | 'importing' }>): string {
  if (share !== undefined) return 'Sending the file';
  return step === 'checking' ? 'The service is checking the posts' : 'The service is storing the posts';
}

function CheckButton({ onCheck }: { onCheck: () => void }): ReactNode {
  return (
    <Button variant="outlined" onClick={onCheck} sx={{ alignSelf: 'start' }}>
      Check the file again
    </Button>
  );
}

const ENCODINGS = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  'windows-1252': 'Windows-1252',
} as const;
const DELIMITERS = { ',': 'commas', ';': 'semicolons', '\t': 'tabs' } as const;

/** What an import would do. */
function Preview({ check, onRun }: { check: ImportCheckDto; onRun: () => void }): ReactNode {
  const { format, encoding, delimiter, columns, titles, created, replaced, unchanged } = check;
  const count = created + replaced;
  const parts = [
    `${format === 'csv' ? 'CSV' : 'NDJSON'} in ${encoding && ENCODINGS[encoding]}`,
    delimiter && `cells separated by ${DELIMITERS[delimiter]}`,
    columns && `columns ${columns.join(', ')}`,
  ];
  return (
    <Stack sx={{ gap: 2 }}>
      <Alert severity={count > 0 ? 'success' : 'info'} role="status">
        {count > 0
          ? plural(
              count,
              '1 post is ready to be imported.',
              `${numberText(count)} posts are ready to be imported.`,
            )
          : 'There is nothing to import.'}
        {replaced + unchanged > 0 && ` ${countsText(check)}`}
      </Alert>
      <div>
        <Typography sx={{ overflowWrap: 'anywhere' }}>{`${parts.filter(Boolean).join(', ')}.`}</Typography>
        {titles.length > 0 && (
          <Typography color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
            {`The first titles: ${titles.map(isolated).join(' · ')}`}
          </Typography>
        )}
      </div>
      {count > 0 && (
        <Button variant="contained" onClick={onRun} sx={{ alignSelf: 'start' }}>
          {plural(count, 'Import 1 post', `Import ${numberText(count)} posts`)}
        </Button>
      )}
    </Stack>
  );
}

/** `2 new, 1 replaced, 3 unchanged.` */
function countsText({ created, replaced, unchanged }: ImportCheckDto | FileImportDto): string {
  const [news, replacements, same] = [created, replaced, unchanged].map(numberText);
  return `${news} new, ${replacements} replaced, ${same} unchanged.`;
}

function Done({ result }: { result: FileImportDto }): ReactNode {
  const { created, replaced, unchanged, entry } = result;
  const [isUndone, setUndone] = useState(false);
  const count = created + replaced;
  return (
    <Stack sx={{ gap: 2 }}>
      <Alert severity={isUndone ? 'info' : 'success'} role="status">
        {isUndone
          ? 'The import is undone, except for posts that have been changed since.'
          : plural(count, '1 post is imported.', `${numberText(count)} posts are imported.`)}
        {!isUndone && replaced + unchanged > 0 && ` ${countsText(result)}`}
      </Alert>
      <Stack direction="row" sx={{ gap: 1.5, flexWrap: 'wrap' }}>
        <Button variant="contained" component={Link} to="/posts">
          Go to the posts
        </Button>
        {entry !== null && !isUndone && (
          <Button onClick={() => void runBulk('import-undos', { entry }).then(setUndone)}>
            Undo this import
          </Button>
        )}
      </Stack>
    </Stack>
  );
}

type LineFault = ImportCheckDto['faults'][number];

/** The most faults that the service reports. */
const MAX_FAULTS = 100;

/** Lists the faults of the file by line. */
function FaultTable({ faults }: { faults: readonly LineFault[] }): ReactNode {
  return (
    <>
      <Alert severity="error" role="alert">
        {faults.length >= MAX_FAULTS
          ? `Nothing can be imported until the file is fixed. These are the first ${MAX_FAULTS} faults:`
          : 'Nothing can be imported until these faults are fixed in the file:'}
      </Alert>
      <DataTable
        label="Faults of the file"
        columns={COLUMNS}
        rows={faults}
        keyOf={(fault) => `${fault.line} ${fieldOf(fault)} ${fault.detail}`}
      />
    </>
  );
}

const COLUMNS: Column<LineFault>[] = [
  { id: 'line', label: 'Line', isHeader: true, isBareOnPhone: false, render: ({ line }) => line },
  { id: 'field', label: 'Field', render: fieldOf },
  { id: 'fault', label: 'Fault', render: ({ detail }) => detail },
];

function fieldOf(fault: LineFault): string {
  const field = 'pointer' in fault ? fault.pointer.replace(/^\//, '') : '';
  if (field === '') return 'The whole line';
  const known = FIELDS.find((each) => each === field);
  return known === undefined ? field : FIELD[known].label;
}
