import { Alert } from '@mui/material';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { DashboardDto } from '../../overview.controller.js';
import { jsonQuery } from '../api/client.js';
import { KEYS } from '../api/keys.js';

export function useDashboard(): UseQueryResult<DashboardDto> {
  return useQuery(jsonQuery<DashboardDto>(KEYS.dashboard, 'admin/api/dashboard/'));
}

/** Warns that the roles of this site do not restrict the API. */
export function OpenWrites(): ReactNode {
  if (useDashboard().data?.has_open_writes !== true) return null;
  return (
    <Alert severity="warning" variant="outlined" sx={{ mb: 2 }}>
      Everybody who reaches this service can write posts with the API, without a token: the setting API_TOKENS
      is not set. The roles of accounts restrict only this site.
    </Alert>
  );
}
