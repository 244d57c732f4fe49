import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { ImportResultDto } from '../../../posts/dto/post.dto.js';
import { FIELD, FIELDS } from '../api/posts.js';
import { type Column, DataTable } from '../shell/list/data-table.js';
import { Failure } from '../shell/failure.js';
import { Progress } from '../shell/progress.js';
import { numberText } from '../texts/numbers.js';
import { plural, quoted } from '../texts/texts.js';
import { WrongEncoding, wrongEncodingText } from './csv-file.js';
import { type ImportFault, MAX_FAULTS } from './csv-posts.js';
import type { Import, ImportState } from './use-import.js';

/** Shows the result of the check or the import, and the next actions. */
export function ImportOutcome({
  importing: { state, run, stop },
  onCheck,
}: {
  importing: Import;
  onCheck: () => void;
}): ReactNode {
  const { step } = state;
  if (step === 'idle') return null;
  if (step === 'done') return <Done result={state.result} />;
  if (step === 'faulty') return <FaultTable faults={state.faults} />;
  if (step === 'failed') return <Failed state={state} onCheck={onCheck} onRun={run} />;
  if (step === 'stopped') {
    return (
      <Alert severity="info" role="status">
        Stopped. Nothing was imported.
      </Alert>
    );
  }
  if (step === 'ready') {
    return (
      <Stack sx={{ gap: 2 }}>
        <Alert severity={state.count > 0 ? 'success' : 'info'} role="status">
          {state.count > 0
            ? plural(
                state.count,
                '1 post is ready to be imported.',
                `${numberText(state.count)} posts are ready to be imported.`,
              )
            : 'The file has no posts.'}
        </Alert>
        {state.count > 0 && <RunButton count={state.count} onRun={run} />}
      </Stack>
    );
  }
  // After the upload, it is unknown whether a stop would come in time, so there is no stop button.
  return <Progress label={STEPS[step]} share={state.share} onStop={step === 'storing' ? undefined : stop} />;
}

const STEPS = {
  reading: 'Reading the file',
  sending: 'Sending',
  checking: 'The service is checking the posts',
  storing: 'The service is storing the posts',
} as const;

function RunButton({ count, onRun }: { count: number; onRun: Import['run'] }): ReactNode {
  return (
    <Button variant="contained" onClick={() => void onRun(count)} sx={{ alignSelf: 'start' }}>
      {plural(count, 'Import 1 post', `Import ${numberText(count)} posts`)}
    </Button>
  );
}

interface FailedProps {
  readonly state: Extract<ImportState, { step: 'failed' }>;
  readonly onCheck: () => void;
  readonly onRun: Import['run'];
}

function Failed({ state: { error, isUncertain, count }, onCheck, onRun }: FailedProps): ReactNode {
  return (
    <Stack sx={{ gap: 2 }}>
      {isUncertain && (
        <Alert severity="warning">
          The response did not arrive, so it is not known whether the posts were imported. Try again: they are
          imported at most once.
        </Alert>
      )}
      {error instanceof WrongEncoding ? (
        <Alert severity="error" role="alert">
          {wrongEncodingText(error.encoding)}
        </Alert>
      ) : (
        <Failure error={error} {...(count === undefined && { retry: onCheck })} />
      )}
      {count !== undefined && <RunButton count={count} onRun={onRun} />}
    </Stack>
  );
}

function Done({ result: { created, first_id, last_id } }: { result: ImportResultDto }): ReactNode {
  return (
    <Stack sx={{ gap: 2 }}>
      <Alert severity="success" role="status">
        <Typography component="span" variant="body2" sx={{ fontWeight: 600 }}>
          {plural(created, '1 post is imported.', `${numberText(created)} posts are imported.`)}
        </Typography>{' '}
        {first_id !== null &&
          last_id !== null &&
          (first_id === last_id
            ? `It has the number ${first_id}.`
            : `They have the numbers ${first_id} to ${last_id}.`)}
      </Alert>
      <Button variant="contained" component={Link} to="/posts" sx={{ alignSelf: 'start' }}>
        Go to the posts
      </Button>
    </Stack>
  );
}

/** Lists the faults of the file by line. */
function FaultTable({ faults }: { faults: readonly ImportFault[] }): ReactNode {
  const isCut = faults.length >= MAX_FAULTS;
  return (
    <Stack sx={{ gap: 2 }}>
      <Alert severity="error" role="alert">
        {isCut
          ? `Nothing can be imported until the file is fixed. These are the first ${faults.length} faults:`
          : 'Nothing can be imported until these faults are fixed in the file:'}
      </Alert>
      <DataTable
        label="Faults of the file"
        columns={COLUMNS}
        rows={faults}
        keyOf={(fault) => `${fault.line} ${fault.field} ${textOf(fault)}`}
      />
    </Stack>
  );
}

const COLUMNS: Column<ImportFault>[] = [
  {
    id: 'line',
    label: 'Line',
    isHeader: true,
    isBareOnPhone: false,
    render: ({ line }) => line,
  },
  { id: 'field', label: 'Field', render: fieldOf },
  { id: 'fault', label: 'Fault', render: textOf },
];

function textOf({ reason }: ImportFault): string {
  if (reason === 'text-after-quote') return 'There is text after the closing quote of a cell.';
  if (reason === 'unclosed-quote') return 'A quote opens on this line and is never closed.';
  if ('date' in reason) return `${quoted(reason.date.slice(0, 60))} is not a date in the order chosen above.`;
  return 'detail' in reason
    ? reason.detail
    : `The row has ${reason.cells} cells, the first one has ${reason.expected}.`;
}

function fieldOf({ field }: ImportFault): string {
  if (field === undefined) return 'The whole line';
  const known = FIELDS.find((each) => each === field);
  return known === undefined ? field : FIELD[known].label;
}
