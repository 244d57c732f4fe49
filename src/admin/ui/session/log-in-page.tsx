import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { type ReactNode, useEffect } from 'react';
import { t } from '../texts/texts.js';
import { LogInForm } from './log-in-form.js';

export function LogInPage(): ReactNode {
  const title = t('session.title');
  useEffect(() => {
    document.title = `${title} · ${t('shell.siteTitle')}`;
  }, [title]);
  return (
    <Box
      component="main"
      sx={{
        display: 'grid',
        placeItems: 'center',
        minHeight: '100vh',
        p: 2,
        backgroundColor: 'background.default',
      }}
    >
      <Box sx={{ width: '100%', maxWidth: 384, pb: '8vh' }}>
        <Box component="img" src="favicon.svg" alt="" sx={{ width: 40, height: 40, mb: 2 }} />
        <Typography sx={{ color: 'text.secondary', mb: 0.5 }}>{t('shell.siteTitle')}</Typography>
        <Typography variant="h1" sx={{ mb: 2.5 }}>
          {title}
        </Typography>
        <Paper variant="outlined" sx={{ p: 3 }}>
          <LogInForm />
        </Paper>
      </Box>
    </Box>
  );
}
