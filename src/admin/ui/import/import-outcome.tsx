import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { ImportResultDto } from '../../../posts/dto/post.dto.js';
import { FIELDS } from '../api/posts.js';
import { type Column, DataTable } from '../shell/list/data-table.js';
import { Failure } from '../shell/failure.js';
import { Progress } from '../shell/progress.js';
import { numberText } from '../texts/numbers.js';
import { t } from '../texts/texts.js';
import { WrongEncoding } from './csv-file.js';
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
        {t('importing.stopped')}
      </Alert>
    );
  }
  if (step === 'ready') {
    return (
      <Stack sx={{ gap: 2 }}>
        <Alert severity={state.count > 0 ? 'success' : 'info'} role="status">
          {state.count > 0 ? t('importing.good', counted(state.count)) : t('importing.none')}
        </Alert>
        {state.count > 0 && <RunButton count={state.count} onRun={run} />}
      </Stack>
    );
  }
  // After the upload, it is unknown whether a stop would come in time, so there is no stop button.
  return (
    <Progress
      label={t(`importing.${step}`)}
      share={state.share}
      onStop={step === 'storing' ? undefined : stop}
    />
  );
}

function RunButton({ count, onRun }: { count: number; onRun: Import['run'] }): ReactNode {
  return (
    <Button variant="contained" onClick={() => void onRun(count)} sx={{ alignSelf: 'start' }}>
      {t('importing.run', counted(count))}
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
      {isUncertain && <Alert severity="warning">{t('importing.notKnown')}</Alert>}
      {error instanceof WrongEncoding ? (
        <Alert severity="error" role="alert">
          {t('importing.wrongEncoding', { encoding: t(`importing.encodings.${error.encoding}`) })}
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
          {t('importing.done', counted(created))}
        </Typography>{' '}
        {first_id !== null &&
          last_id !== null &&
          t(first_id === last_id ? 'importing.doneId' : 'importing.doneIds', {
            first: first_id,
            last: last_id,
          })}
      </Alert>
      <Button variant="contained" component={Link} to="/posts" sx={{ alignSelf: 'start' }}>
        {t('importing.toPosts')}
      </Button>
    </Stack>
  );
}

function counted(count: number): { smart_count: number; count: string } {
  return { smart_count: count, count: numberText(count) };
}

/** Lists the faults of the file by line. */
function FaultTable({ faults }: { faults: readonly ImportFault[] }): ReactNode {
  const isCut = faults.length >= MAX_FAULTS;
  return (
    <Stack sx={{ gap: 2 }}>
      <Alert severity="error" role="alert">
        {isCut ? t('importing.faultyMany', { count: faults.length }) : t('importing.faulty')}
      </Alert>
      <DataTable
        label={t('importing.faults')}
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
    label: t('importing.line'),
    isHeader: true,
    isBareOnPhone: false,
    render: ({ line }) => line,
  },
  { id: 'field', label: t('importing.field'), render: fieldOf },
  { id: 'fault', label: t('importing.fault'), render: textOf },
];

function textOf({ reason }: ImportFault): string {
  if (reason === 'text-after-quote') return t('importing.textAfterQuote');
  if (reason === 'unclosed-quote') return t('importing.unclosedQuote');
  if ('date' in reason) return t('importing.notDate', { date: reason.date.slice(0, 60) });
  return 'detail' in reason ? reason.detail : t('importing.otherCells', reason);
}

function fieldOf({ field }: ImportFault): string {
  if (field === undefined) return t('importing.wholeLine');
  const known = FIELDS.find((each) => each === field);
  return known === undefined ? field : t(`fields.name.${known}`);
}
