import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { Component, type ReactNode } from 'react';
import { t } from '../texts/texts.js';
import { failureText } from './failure.js';
import { Page } from './page.js';

/** Keeps bar and menu when a page fails, for example when an update of the service removed the page's files. */
export class PageErrorBoundary extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    return this.state.error === undefined ? this.props.children : <BrokenPage error={this.state.error} />;
  }
}

function BrokenPage({ error }: { error: unknown }): ReactNode {
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
