import { mdiAlertCircle, mdiCheckCircleOutline } from '@mdi/js';
import { Box, Link as MuiLink, Paper, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { DashboardDto } from '../../overview.controller.js';
import { Icon } from '../shell/icon.js';
import { bytesText, numberText } from '../texts/texts.js';
import { Moment } from '../time/moment.js';

const HEALTH = { display: 'flex', gap: 0.75, alignItems: 'center' } as const;

/** The counts of the data and the state of the service. */
export function Figures({ data }: { data: DashboardDto }): ReactNode {
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
