import Box from '@mui/material/Box';
import CircularProgress from '@mui/material/CircularProgress';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { APPEAR_LATE } from '../theme/theme.js';
import { Failure } from './failure.js';

/** Shows the state of a query: loading, error or data. */
export function Loaded<T>({
  query,
  children,
}: {
  query: UseQueryResult<T>;
  children: (data: T) => ReactNode;
}): ReactNode {
  if (query.error) return <Failure error={query.error} retry={() => void query.refetch()} />;
  if (query.data === undefined) return <Loading />;
  return children(query.data);
}

/** The loading indicator. */
export function Loading(): ReactNode {
  return (
    <Box role="status" sx={{ display: 'grid', placeItems: 'center', minHeight: 240, animation: APPEAR_LATE }}>
      <CircularProgress aria-label="Loading…" />
    </Box>
  );
}

/** The empty state: says why there is nothing and offers an action. */
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
