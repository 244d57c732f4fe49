import { Box, Paper, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { MonthCount } from '../../../posts/overview/overview.service.js';
import { ZONE } from '../shell/list/url-filters.js';
import { Empty } from '../shell/loaded.js';
import { numberText } from '../texts/texts.js';
import { formatLongMonth } from '../time/dates.js';

/** The number of posts per month, newest first, as bars that lead to the posts of the month. */
export function PostsPerMonth({ counts }: { counts: readonly MonthCount[] }): ReactNode {
  const most = Math.max(1, ...counts.map(({ posts }) => posts));
  return (
    <Box component="section" aria-labelledby="posts-per-month">
      <Typography variant="h2" id="posts-per-month">
        Posts per month
      </Typography>
      <Typography variant="body2" color="textSecondary" sx={{ mb: 1.5 }}>
        By date of publication in UTC, the last twelve months
      </Typography>
      {counts.every(({ posts }) => posts === 0) ? (
        <Empty>There are no posts in these months.</Empty>
      ) : (
        <Paper
          variant="outlined"
          component="ol"
          aria-labelledby="posts-per-month"
          sx={{ m: 0, px: 1, py: 1, listStyle: 'none' }}
        >
          {counts.map(({ month, posts }) => (
            <li key={month}>
              <Box component={Link} to={listOf(month)} sx={ROW}>
                <span>{formatLongMonth(month)}</span>
                <Box aria-hidden className="bar" style={{ width: `${(100 * posts) / most}%` }} />
                <Box component="span" sx={{ fontVariantNumeric: 'tabular-nums', textAlign: 'right' }}>
                  {numberText(posts)}
                </Box>
              </Box>
            </li>
          ))}
        </Paper>
      )}
    </Box>
  );
}

const ROW = {
  display: 'grid',
  gridTemplateColumns: '8.5em 1fr 5em',
  gap: 1,
  alignItems: 'center',
  px: 1,
  py: 0.25,
  borderRadius: 1,
  color: 'inherit',
  textDecoration: 'none',
  '&:hover': { backgroundColor: 'action.hover' },
  '& .bar': {
    height: '1em',
    borderRadius: 0.5,
    backgroundColor: 'primary.main',
    forcedColorAdjust: 'none',
  },
} as const;

/** The list of the posts of a month, such as `2026-11`: in UTC, as they were counted. */
function listOf(month: string): string {
  const lastDay = new Date(`${month}-01T00:00:00Z`);
  lastDay.setUTCMonth(lastDay.getUTCMonth() + 1, 0);
  return `/posts?from=${month}-01&to=${lastDay.toISOString().slice(0, 10)}&${ZONE}=UTC`;
}
