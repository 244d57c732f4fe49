import { Box, LinearProgress, Paper, Typography } from '@mui/material';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useEffect } from 'react';
import { APPEAR_LATE, BAR_HEIGHT } from '../theme/theme.js';
import { announce, useAnnouncement } from './announcements.js';
import { Failure } from './failure.js';

/**
 * Whether what shows the data may be rendered. When the data comes, React renders it in slices between other tasks: all of a
 * page at once blocks the browser.
 */
export function useIsReady(isLoaded: boolean): boolean {
  const isBegun = useDeferredValue(isLoaded);
  return isLoaded && isBegun;
}

/** Shows the state of a query: loading, error or data. */
export function Loaded<T>({
  query,
  children,
}: {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'>;
  children: (data: T) => ReactNode;
}): ReactNode {
  const isReady = useIsReady(query.data !== undefined);
  if (query.error) return <Failure error={query.error} retry={() => void query.refetch()} />;
  if (query.data === undefined || !isReady) return <Loading />;
  return children(query.data);
}

/** The sign that something is loading, at the edge of the bar above the page. */
export function LoadingBar(): ReactNode {
  return <LinearProgress aria-hidden className={LOADING_BAR} sx={BAR} />;
}

const LOADING_BAR = 'loading-bar';
const BAR = {
  position: 'fixed',
  inset: `${BAR_HEIGHT - 3}px 0 auto`,
  zIndex: 'tooltip',
  animation: APPEAR_LATE,
} as const;

/** After this time, a screen reader says that something is loading. */
const LATE_MS = 1_000;

/** The place of what is loading. */
export function Loading(): ReactNode {
  useEffect(() => {
    const timer = setTimeout(() => announce('Loading…'), LATE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Box sx={{ minHeight: 240 }}>
      <LoadingBar />
    </Box>
  );
}

/** The empty state: says why there is nothing and offers an action. */
export function Empty({ children, action }: { children: string; action?: ReactNode }): ReactNode {
  useAnnouncement(children);
  return (
    <Paper variant="outlined" sx={{ p: { xs: 3, md: 5 }, display: 'grid', gap: 2, justifyItems: 'center' }}>
      <Typography sx={{ color: 'text.secondary', textAlign: 'center' }}>{children}</Typography>
      {action}
    </Paper>
  );
}
