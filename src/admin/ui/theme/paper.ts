import { useMediaQuery } from '@mui/material';

/** Whether the page is being printed. (The query `print` has MUI warn about it.) */
export function useIsPrinted(): boolean {
  return !useMediaQuery('screen', { noSsr: true });
}
