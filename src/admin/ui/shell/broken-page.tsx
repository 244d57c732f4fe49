import { type ReactNode, useEffect } from 'react';
import { useRouteError } from 'react-router';
import { Failure } from './failure.js';
import { Page } from './page.js';

/** Replaces a page that failed, for example because an update of the service removed the page's files. */
export function BrokenPage(): ReactNode {
  const error = useRouteError();
  // The files of the page could not be loaded.
  useEffect(() => {
    const reload = (): void => location.reload();
    window.addEventListener('online', reload);
    return () => window.removeEventListener('online', reload);
  }, []);
  return (
    <Page title="This page could not be shown" width="text">
      <Failure error={error} retry={() => location.reload()} retryLabel="Reload the page" />
    </Page>
  );
}
