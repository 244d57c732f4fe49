import { Alert, type AlertProps, Box, Button, LinearProgress, Typography } from '@mui/material';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { numberText } from '../texts/texts.js';
import { useAnnouncement } from './announcements.js';

export interface ProgressProps {
  readonly label: string;
  /** The number of posts that are done, and of all; undefined when unknown. */
  readonly posts?: { readonly done: number; readonly total: number } | undefined;
  readonly onStop: () => void;
}

export function Progress({ label, posts, onStop }: ProgressProps): ReactNode {
  const id = useId();
  useAnnouncement(label);
  return (
    <Box sx={{ display: 'grid', gap: 1 }}>
      <Box
        sx={{ display: 'flex', gap: 2, justifyContent: 'space-between', alignItems: 'center', minHeight: 36 }}
      >
        <div>
          <Typography id={id}>{label}</Typography>
          {posts && (
            <Typography variant="body2" color="textSecondary">
              {`${numberText(posts.done)} of ${numberText(posts.total)}`}
            </Typography>
          )}
        </div>
        <Button onClick={onStop}>Stop</Button>
      </Box>
      <LinearProgress
        aria-labelledby={id}
        {...(posts && { variant: 'determinate', value: (100 * posts.done) / posts.total })}
      />
    </Box>
  );
}

export interface ResultProps extends Pick<AlertProps, 'severity'> {
  readonly children: string;
}

/** How an action has ended. */
export function Result({ severity, children }: ResultProps): ReactNode {
  useAnnouncement(children);
  return (
    <Alert severity={severity} role="presentation">
      {children}
    </Alert>
  );
}

export interface OutcomeProps {
  /** The current step. A new step may disable or remove the button that started it. */
  readonly step: string;
  readonly children: ReactNode;
}

/** Shows the progress and result of a long action. It takes the focus that a removed button has lost. */
export function Outcome({ step, children }: OutcomeProps): ReactNode {
  const place = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const focused = document.activeElement;
    // Browsers differ in when a disabled button loses the focus.
    const isLost = focused === document.body || focused?.matches(':disabled');
    if (step !== 'idle' && isLost) place.current?.focus({ preventScroll: true });
  }, [step]);

  return (
    <Box ref={place} tabIndex={-1} sx={{ outline: 'none', width: '100%' }}>
      {children}
    </Box>
  );
}
