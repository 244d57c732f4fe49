import { useEffect, useRef } from 'react';
import { NavigationType, useNavigationType, useSearchParams } from 'react-router';
import { session } from '../../api/client.js';
import { browserStore } from '../../api/remembered.js';
import { useChangeParameters } from '../../shell/list/url-filters.js';
import { type ListView, readView, viewParameters } from './list-view.js';

type ChangeView = (change: Partial<ListView>) => void;

/**
 * Returns the view in the URL and a function that changes it. Each change is a history entry, except a change of
 * columns. A URL without parameters gets the view that the account last used in this browser.
 */
export function useListView(): [ListView, ChangeView] {
  const [parameters, setParameters] = useSearchParams();
  const changeParameters = useChangeParameters();
  const type = useNavigationType();
  const isFirst = useRef(true);
  const key = `posts-admin.list.${session.get()?.account.id}`;
  const isBare = parameters.size === 0;

  useEffect(() => {
    // Going back to a URL without parameters shows the default view.
    const isArrival = isBare && (isFirst.current || type === NavigationType.Push);
    isFirst.current = false;
    const kept = browserStore.get(key);
    if (isArrival && kept !== null) setParameters(new URLSearchParams(kept), { replace: true });
  }, [isBare, type, key, setParameters]);

  const change: ChangeView = (part) => {
    const changed = viewParameters({ ...readView(new URLSearchParams(window.location.search)), ...part });
    const kept = Object.entries(changed).filter(([, value]) => value !== '');
    if (kept.length === 0) browserStore.remove(key);
    else browserStore.set(key, new URLSearchParams(kept).toString());
    const isOfColumns = 'columns' in part;
    changeParameters(changed, { replace: isOfColumns, keepsPlace: isOfColumns });
  };
  return [readView(parameters), change];
}
