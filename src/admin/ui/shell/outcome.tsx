import { Box } from '@mui/material';
import { type ReactNode, useEffect, useRef } from 'react';

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
