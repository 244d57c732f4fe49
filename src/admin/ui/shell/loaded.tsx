import Box from '@mui/material/Box';
import CircularProgress from '@mui/material/CircularProgress';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { t } from '../texts/texts.js';
import { Failure } from './failure.js';

/** What a page shows of an answer: that it is on its way, what went wrong, or what came. */
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

/** What is quick should not flicker. */
const DELAY_MS = 250;

/** Says that something is on its way. */
export function Loading(): ReactNode {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Box role="status" sx={{ display: 'grid', placeItems: 'center', minHeight: 240 }}>
      {isShown && <CircularProgress aria-label={t('shell.loading')} />}
    </Box>
  );
}

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
