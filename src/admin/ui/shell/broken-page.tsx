import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import type { ReactNode } from 'react';
import { useRouteError } from 'react-router';
import { t } from '../texts/texts.js';
import { failureText } from './failure.js';
import { Page } from './page.js';

/** Replaces a page that failed, for example because an update of the service removed the page's files. */
export function BrokenPage(): ReactNode {
  const error = useRouteError();
  return (
    <Page title={t('shell.failed.page')} width="text">
      <Alert
        severity="error"
        variant="outlined"
        action={
          <Button color="inherit" size="small" onClick={() => location.reload()}>
            {t('shell.failed.reload')}
          </Button>
        }
      >
        {failureText(error)}
      </Alert>
    </Page>
  );
}
