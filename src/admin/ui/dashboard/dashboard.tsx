import { Box, Button, Link as MuiLink, Stack, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { ChangeDto } from '../../change.dto.js';
import type { DashboardDto } from '../../overview.controller.js';
import { CHANGE_COLUMNS } from '../changes/change-columns.js';
import { DataTable } from '../shell/list/data-table.js';
import { Loaded } from '../shell/loaded.js';
import { Page } from '../shell/page.js';
import { bytesText, counted } from '../texts/texts.js';
import { Moment } from '../time/moment.js';
import { OpenWrites, useDashboard } from './open-writes.js';
import { PostsPerMonth } from './posts-per-month.js';

/** The start page: posts per month and recent changes. */
export function Dashboard(): ReactNode {
  return (
    <Page title="Dashboard">
      <OpenWrites />
      <Loaded query={useDashboard()}>
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
  return (
    <Box component="section" aria-labelledby="latest-changes">
      <Stack direction="row" sx={{ alignItems: 'center', justifyContent: 'space-between', mb: 1.5 }}>
        <Typography variant="h2" id="latest-changes">
          Recent changes
        </Typography>
        <Button component={Link} to="/changes">
          All changes
        </Button>
      </Stack>
      <DataTable label="Recent changes" columns={CHANGE_COLUMNS} rows={changes} keyOf={({ id }) => id} />
    </Box>
  );
}

/** The number of posts, and the state of the service. */
function Figures({ data }: { data: DashboardDto }): ReactNode {
  const { posts, database, version, started_at } = data;
  const kind = database.kind === 'sqlite' ? 'SQLite' : 'PostgreSQL';
  return (
    <Typography color="textSecondary" translate="no">
      <MuiLink component={Link} to="/posts" underline="always">
        {counted(posts, 'post')}
      </MuiLink>
      {` · ${kind}, ${bytesText(database.size_bytes)} · version ${version}, running since `}
      <Moment at={started_at} />
    </Typography>
  );
}
