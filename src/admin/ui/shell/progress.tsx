import { Box, Button, LinearProgress, Typography } from '@mui/material';
import { type ReactNode, useId } from 'react';

export interface ProgressProps {
  /** Names the action. */
  readonly label: string;
  /** From 0 to 1; undefined when unknown. */
  readonly share?: number | undefined;
  readonly detail?: string;
  readonly onStop?: (() => void) | undefined;
}

/** The progress of a long action. */
export function Progress({ label, share, detail, onStop }: ProgressProps): ReactNode {
  const id = useId();
  return (
    <Box sx={{ display: 'grid', gap: 1 }}>
      <Box
        sx={{ display: 'flex', gap: 2, justifyContent: 'space-between', alignItems: 'center', minHeight: 36 }}
      >
        <div>
          <Typography id={id} role="status">
            {label}
          </Typography>
          {detail !== undefined && (
            <Typography variant="body2" color="textSecondary">
              {detail}
            </Typography>
          )}
        </div>
        {onStop && <Button onClick={onStop}>Stop</Button>}
      </Box>
      <LinearProgress
        aria-labelledby={id}
        {...(share !== undefined && {
          variant: 'determinate',
          value: Math.min(100, Math.round(share * 100)),
        })}
      />
    </Box>
  );
}
