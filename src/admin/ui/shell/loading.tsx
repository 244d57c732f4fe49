import Box from '@mui/material/Box';
import CircularProgress from '@mui/material/CircularProgress';
import { type ReactNode, useEffect, useState } from 'react';
import { t } from '../texts/texts.js';

/** What is quick should not flicker. */
const DELAY_MS = 250;

/** Says that something is on its way. */
export function Loading(): ReactNode {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Box role="status" sx={{ display: 'grid', placeItems: 'center', minHeight: 240 }}>
      {isShown && <CircularProgress aria-label={t('shell.loading')} />}
    </Box>
  );
}
