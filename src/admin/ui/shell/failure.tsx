import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Problem, Unreachable } from '../api/problem.js';
import { t } from '../texts/texts.js';

export interface FailureProps {
  readonly error: unknown;
  readonly retry?: () => void;
  /** The label, if the retry does something else than repeat the request. */
  readonly retryLabel?: string;
}

/** Shows an error, in the service's words if there are any, and offers a retry. */
export function Failure({ error, retry, retryLabel }: FailureProps): ReactNode {
  const requestId = error instanceof Problem ? error.requestId : undefined;
  return (
    <Alert
      severity="error"
      variant="outlined"
      action={
        retry && (
          <Button color="inherit" size="small" onClick={retry}>
            {retryLabel ?? t('shell.failed.again')}
          </Button>
        )
      }
    >
      <AlertTitle>{t('shell.failed.title')}</AlertTitle>
      {failureText(error)}
      {requestId !== undefined && (
        <Typography variant="caption" component="p" sx={{ mt: 0.5, overflowWrap: 'anywhere' }}>
          {t('shell.failed.requestId', { id: requestId })}
        </Typography>
      )}
    </Alert>
  );
}

/** Returns the one-sentence message of an error. */
export function failureText(error: unknown): string {
  if (error instanceof Unreachable) return t('shell.failed.unreachable');
  return error instanceof Error ? error.message : String(error);
}
