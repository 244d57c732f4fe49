import { Alert, AlertTitle, Button, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { Problem, Unreachable } from '../api/problem.js';

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
            {retryLabel ?? 'Try again'}
          </Button>
        )
      }
    >
      <AlertTitle>This did not work</AlertTitle>
      {failureText(error)}
      {requestId !== undefined && (
        <Typography variant="caption" component="p" sx={{ mt: 0.5, overflowWrap: 'anywhere' }}>
          {`Request id: ${requestId}`}
        </Typography>
      )}
    </Alert>
  );
}

/** Returns the message of an error: every reason that the service gave. */
export function failureText(error: unknown): string {
  if (!navigator.onLine && error instanceof Unreachable) {
    return 'This browser is offline. Try again when the network is back.';
  }
  if (error instanceof Unreachable) {
    return 'The service cannot be reached. It may be stopped, or the network may be down.';
  }
  if (error instanceof Problem) return error.reasons.join(' ');
  return error instanceof Error ? error.message : String(error);
}
