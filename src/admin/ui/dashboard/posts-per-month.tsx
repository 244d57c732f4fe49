import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { type ReactNode, useState } from 'react';
import type { MonthCount } from '../../../posts/overview/overview.service.js';
import { DataTable } from '../shell/list/data-table.js';
import { Empty } from '../shell/loaded.js';
import { formatLongMonth } from '../time/dates.js';
import { numberText } from '../texts/numbers.js';
import { BarChart } from './bar-chart.js';
import { monthsChart } from './months-chart.js';

/** The number of posts per month, as a chart or a table. */
export function PostsPerMonth({ counts }: { counts: readonly MonthCount[] }): ReactNode {
  const [isTable, setTable] = useState(false);
  const chart = monthsChart(counts);
  const months = chart.bars.toReversed();
  return (
    <Box component="section" aria-labelledby="posts-per-month">
      <Stack direction="row" sx={{ alignItems: 'center', justifyContent: 'space-between', gap: 2, mb: 1.5 }}>
        <div>
          <Typography variant="h2" id="posts-per-month">
            Posts per month
          </Typography>
          <Typography variant="body2" color="textSecondary">
            By date of publication, the newest twelve months
          </Typography>
        </div>
        {months.length > 0 && (
          <Button onClick={() => setTable(!isTable)} sx={{ flexShrink: 0 }}>
            {isTable ? 'Show as a chart' : 'Show as a table'}
          </Button>
        )}
      </Stack>
      {months.length === 0 ? (
        <Empty>There are no posts yet.</Empty>
      ) : isTable ? (
        <DataTable
          label="Posts per month"
          columns={[
            {
              id: 'month',
              label: 'Month',
              isHeader: true,
              render: ({ month }) => formatLongMonth(month),
            },
            {
              id: 'posts',
              label: 'Posts',
              render: ({ posts }) => numberText(posts),
            },
          ]}
          rows={months}
          keyOf={({ month }) => month}
        />
      ) : (
        <Paper variant="outlined" sx={{ p: { xs: 1.5, sm: 2 } }}>
          <BarChart chart={chart} />
        </Paper>
      )}
    </Box>
  );
}
