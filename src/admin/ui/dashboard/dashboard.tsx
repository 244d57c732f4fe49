import { Box, Button, Stack, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { ChangeDto } from '../../change.dto.js';
import { changeColumns } from '../changes/change-columns.js';
import { DataTable } from '../shell/list/data-table.js';
import { Empty, Loaded } from '../shell/loaded.js';
import { Page } from '../shell/page.js';
import { Figures } from './figures.js';
import { OpenWrites, useDashboard } from './open-writes.js';
import { PostsPerMonth } from './posts-per-month.js';

/** The start page: figures, posts per month and recent changes. */
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
  const columns = changeColumns();
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
      {changes.length === 0 ? (
        <Empty>Nothing has been changed yet.</Empty>
      ) : (
        <DataTable label="Recent changes" columns={columns} rows={changes} keyOf={({ id }) => id} />
      )}
    </Box>
  );
}
