import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';

/** Says that there is nothing, why, and what can be done about it. */
export function Empty({ children, action }: { children: ReactNode; action?: ReactNode }): ReactNode {
  return (
    <Paper variant="outlined" sx={{ p: { xs: 3, sm: 5 }, display: 'grid', gap: 2, justifyItems: 'center' }}>
      <Typography role="status" sx={{ color: 'text.secondary', textAlign: 'center' }}>
        {children}
      </Typography>
      {action}
    </Paper>
  );
}
