import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { DashboardDto } from '../../overview/overview.dto.js';
import type { ChangeDto } from '../../history/change.dto.js';
import { api } from '../api/client.js';
import { changeColumns } from '../changes/change-columns.js';
import { DataTable } from '../shell/list/data-table.js';
import { Empty, Loaded } from '../shell/loaded.js';
import { Page } from '../shell/page.js';
import { t } from '../texts/texts.js';
import { useTimeZone } from '../time/time-zone.js';
import { Figures } from './figures.js';
import { PostsPerMonth } from './posts-per-month.js';

const PATH = 'admin/api/dashboard/';

/** The start page: figures, posts per month and recent changes. */
export function Dashboard(): ReactNode {
  const zone = useTimeZone();
  const dashboard = useQuery({
    queryKey: [PATH, zone],
    queryFn: ({ signal }) => api.json<DashboardDto>(PATH, { query: { time_zone: zone }, signal }),
  });
  return (
    <Page title={t('dashboard.title')}>
      <Loaded query={dashboard}>
        {(data) => (
          <Stack sx={{ gap: 4 }}>
            <Figures data={data} />
            <PostsPerMonth counts={data.posts_per_month} />
            <LatestChanges changes={data.latest_changes} />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function LatestChanges({ changes }: { changes: readonly ChangeDto[] }): ReactNode {
  const columns = changeColumns();
  return (
    <Box component="section" aria-labelledby="latest-changes">
      <Stack direction="row" sx={{ alignItems: 'center', justifyContent: 'space-between', mb: 1.5 }}>
        <Typography variant="h2" id="latest-changes">
          {t('dashboard.latest')}
        </Typography>
        <Button component={Link} to="/changes">
          {t('dashboard.allChanges')}
        </Button>
      </Stack>
      {changes.length === 0 ? (
        <Empty>{t('changes.empty')}</Empty>
      ) : (
        <DataTable label={t('dashboard.latest')} columns={columns} rows={changes} keyOf={({ id }) => id} />
      )}
    </Box>
  );
}
