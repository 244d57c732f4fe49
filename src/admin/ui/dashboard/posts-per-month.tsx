import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { type ReactNode, useState } from 'react';
import type { MonthDto } from '../../overview/overview.dto.js';
import { DataTable } from '../shell/list/data-table.js';
import { Empty } from '../shell/loaded.js';
import { formatLongMonth } from '../time/dates.js';
import { numberText } from '../texts/numbers.js';
import { t } from '../texts/texts.js';
import { BarChart } from './bar-chart.js';
import { monthsChart } from './months-chart.js';

/** The number of posts per month, as a chart or a table. */
export function PostsPerMonth({ counts }: { counts: readonly MonthDto[] }): ReactNode {
  const [isTable, setTable] = useState(false);
  const chart = monthsChart(counts);
  const months = chart.bars.toReversed();
  return (
    <Box component="section" aria-labelledby="posts-per-month">
      <Stack direction="row" sx={{ alignItems: 'center', justifyContent: 'space-between', gap: 2, mb: 1.5 }}>
        <div>
          <Typography variant="h2" id="posts-per-month">
            {t('dashboard.months')}
          </Typography>
          <Typography variant="body2" color="textSecondary">
            {t('dashboard.monthsAbout')}
          </Typography>
        </div>
        {months.length > 0 && (
          <Button onClick={() => setTable(!isTable)} sx={{ flexShrink: 0 }}>
            {t(isTable ? 'dashboard.asChart' : 'dashboard.asTable')}
          </Button>
        )}
      </Stack>
      {months.length === 0 ? (
        <Empty>{t('posts.list.empty')}</Empty>
      ) : isTable ? (
        <DataTable
          label={t('dashboard.months')}
          columns={[
            {
              id: 'month',
              label: t('dashboard.month'),
              isHeader: true,
              render: ({ month }) => formatLongMonth(month),
            },
            {
              id: 'posts',
              label: t('dashboard.posts'),
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
