import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Failure } from '../shell/failure.js';
import { Progress } from '../shell/progress.js';
import { numberText } from '../texts/numbers.js';
import { useTexts } from '../texts/texts.js';
import { WrongEncoding } from './csv-file.js';
import { FaultTable } from './fault-table.js';
import type { Import } from './use-import.js';

/** What the check or the import has come to, and what can be done next. */
export function ImportOutcome({ importing, onCheck }: { importing: Import; onCheck: () => void }): ReactNode {
  const t = useTexts();
  const { state, run, stop } = importing;
  const counted = (count: number): { smart_count: number; count: string } => ({
    smart_count: count,
    count: numberText(count),
  });
  const runButton = (count: number): ReactNode => (
    <Button
      variant="contained"
      onClick={() => void run(count)}
      sx={{ justifySelf: 'start', alignSelf: 'start' }}
    >
      {t('importing.run', counted(count))}
    </Button>
  );
  switch (state.step) {
    case 'idle':
      return null;
    case 'reading':
    case 'sending':
      return <Progress label={t(`importing.${state.step}`)} share={state.share} onStop={stop} />;
    case 'checking':
      return <Progress label={t('importing.checking')} onStop={stop} />;
    case 'storing':
      // All is sent: whether a stop came in time could not be told.
      return <Progress label={t('importing.storing')} />;
    case 'faulty':
      return <FaultTable faults={state.faults} />;
    case 'stopped':
      return (
        <Alert severity="info" role="status">
          {t('importing.stopped')}
        </Alert>
      );
    case 'ready':
      return (
        <Stack sx={{ gap: 2 }}>
          <Alert severity={state.count > 0 ? 'success' : 'info'} role="status">
            {state.count > 0 ? t('importing.good', counted(state.count)) : t('importing.none')}
          </Alert>
          {state.count > 0 && runButton(state.count)}
        </Stack>
      );
    case 'failed':
      return (
        <Stack sx={{ gap: 2 }}>
          {state.isUncertain && <Alert severity="warning">{t('importing.notKnown')}</Alert>}
          {state.error instanceof WrongEncoding ? (
            <Alert severity="error" role="alert">
              {t('importing.wrongEncoding', { encoding: t(`importing.encodings.${state.error.encoding}`) })}
            </Alert>
          ) : (
            <Failure error={state.error} {...(state.count === undefined && { retry: onCheck })} />
          )}
          {state.count !== undefined && runButton(state.count)}
        </Stack>
      );
    case 'done': {
      const { created, first_id, last_id } = state.result;
      return (
        <Stack sx={{ gap: 2 }}>
          <Alert severity="success" role="status">
            <Typography component="span" variant="body2" sx={{ fontWeight: 600 }}>
              {t('importing.done', counted(created))}
            </Typography>{' '}
            {first_id !== null &&
              last_id !== null &&
              (first_id === last_id
                ? t('importing.doneId', { first: first_id })
                : t('importing.doneIds', { first: first_id, last: last_id }))}
          </Alert>
          <Button variant="contained" component={Link} to="/posts" sx={{ alignSelf: 'start' }}>
            {t('importing.toPosts')}
          </Button>
        </Stack>
      );
    }
  }
}
