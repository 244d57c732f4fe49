import { type ReactNode, useEffect } from 'react';
import { useRouteError } from 'react-router';
import { isReachable } from '../api/client.js';
import { Failure } from './failure.js';
import { notify } from './notices.js';
import { Page } from './page.js';

/** Replaces a page that failed: its files could not be loaded, because the service is down or was updated. */
export function BrokenPage(): ReactNode {
  const error = useRouteError();
  useEffect(() => {
    const reload = (): void => location.reload();
    window.addEventListener('online', reload);
    return () => window.removeEventListener('online', reload);
  }, []);
  return (
    <Page title="This page could not be shown" width="text">
      <Failure error={error} retry={() => void reloadSite()} retryLabel="Reload the page" />
    </Page>
  );
}

/** A reload without the service would leave nothing of the site. */
async function reloadSite(): Promise<void> {
  if (await isReachable()) location.reload();
  else notify('The service still cannot be reached.', { type: 'warning' });
}
