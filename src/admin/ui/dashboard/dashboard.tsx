import { mdiAlertCircle, mdiCheckCircleOutline } from '@mdi/js';
import { Box, Button, Link as MuiLink, Paper, Stack, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { ChangeDto } from '../../change.dto.js';
import type { DashboardDto } from '../../overview.controller.js';
import { changeColumns } from '../changes/change-columns.js';
import { Icon } from '../shell/icon.js';
import { DataTable } from '../shell/list/data-table.js';
import { Empty, Loaded } from '../shell/loaded.js';
import { Page } from '../shell/page.js';
import { bytesText, numberText } from '../texts/texts.js';
import { Moment } from '../time/moment.js';
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

const HEALTH = { display: 'flex', gap: 0.75, alignItems: 'center' } as const;

function Figures({ data }: { data: DashboardDto }): ReactNode {
  const { posts, database, health, version, started_at } = data;
  const isOk = health.status === 'ok';
  return (
    <Box
      component="dl"
      sx={{ m: 0, display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr 1fr', md: 'repeat(4, 1fr)' } }}
    >
      <Figure label="Posts">
        <MuiLink component={Link} to="/posts" underline="hover">
          {numberText(posts)}
        </MuiLink>
      </Figure>
      <Figure label="Database" detail={database.kind === 'sqlite' ? 'SQLite' : 'PostgreSQL'}>
        {bytesText(database.size_bytes)}
      </Figure>
      <Figure label="Health">
        <Box component="span" sx={{ ...HEALTH, color: isOk ? 'success.main' : 'error.main' }}>
          <Icon path={isOk ? mdiCheckCircleOutline : mdiAlertCircle} />
          {isOk ? 'OK' : 'The database does not respond'}
        </Box>
      </Figure>
      <Figure label="Version" detail={['Running since ', <Moment key="at" at={started_at} />]}>
        {version}
      </Figure>
    </Box>
  );
}

interface FigureProps {
  readonly label: string;
  readonly detail?: ReactNode;
  readonly children: ReactNode;
}

function Figure({ label, detail, children }: FigureProps): ReactNode {
  return (
    <Paper variant="outlined" sx={{ p: 2, minWidth: 0 }}>
      <Typography component="dt" variant="body2" sx={{ color: 'text.secondary', mb: 0.5 }}>
        {label}
      </Typography>
      <Typography
        component="dd"
        sx={{ m: 0, fontSize: '1.25rem', fontWeight: 600, overflowWrap: 'anywhere' }}
      >
        {children}
      </Typography>
      {detail && (
        <Typography component="dd" variant="body2" sx={{ m: 0, color: 'text.secondary' }}>
          {detail}
        </Typography>
      )}
    </Paper>
  );
}
