import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { t } from '../texts/texts.js';
import { Page } from './page.js';

export function NotFound(): ReactNode {
  return (
    <Page title={t('shell.notFound.title')} width="text">
      <Typography sx={{ mb: 3 }}>{t('shell.notFound.text')}</Typography>
      <Button component={Link} to="/" variant="contained">
        {t('shell.notFound.home')}
      </Button>
    </Page>
  );
}
