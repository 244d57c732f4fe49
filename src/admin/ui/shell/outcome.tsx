import Box from '@mui/material/Box';
import { type ReactNode, useEffect, useRef } from 'react';

export interface OutcomeProps {
  /** How far it has come; with each step the button that led to it may be disabled or gone. */
  readonly step: string;
  readonly children: ReactNode;
}

/** Where the progress of something long stands, and what it has come to: it takes the focus that a button has lost. */
export function Outcome({ step, children }: OutcomeProps): ReactNode {
  const place = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const focused = document.activeElement;
    // Browsers differ in when a button that is disabled loses the focus.
    const isLost = focused === document.body || focused?.matches(':disabled');
    if (step !== 'idle' && isLost) place.current?.focus({ preventScroll: true });
  }, [step]);

  return (
    <Box ref={place} tabIndex={-1} sx={{ outline: 'none', width: '100%' }}>
      {children}
    </Box>
  );
}
