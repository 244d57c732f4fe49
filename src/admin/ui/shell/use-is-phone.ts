import useMediaQuery from '@mui/material/useMediaQuery';

/** Whether there is no room for a table. */
export function useIsPhone(): boolean {
  return useMediaQuery('(max-width: 699px)', { noSsr: true });
}
