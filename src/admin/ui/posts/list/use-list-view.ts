import { useEffect, useRef } from 'react';
import { NavigationType, useNavigationType, useOutletContext, useSearchParams } from 'react-router';
import { session } from '../../api/client.js';
import { browserStore } from '../../api/remembered.js';
import { PLACE } from '../../shell/list/url-filters.js';
import { type ListView, readView, VIEW_PARAMETERS, viewParameters } from './list-view.js';

type ChangeView = (change: Partial<ListView>) => void;

/**
 * Returns the view in the URL and a function that changes it. Each change is a history entry, except a change of
 * columns. A URL without parameters gets the view that the account last used in this browser.
 */
export function useListView(): [ListView, ChangeView] {
  const [parameters, setParameters] = useSearchParams();
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
    // Read from `window.location`: the router's parameters are updated only at the next render, and a change may come
    // before that.
    const query = new URLSearchParams(window.location.search);
    const changed = viewParameters({ ...readView(query), ...part });
    const kept = new URLSearchParams();
    for (const name of VIEW_PARAMETERS) {
      query.delete(name);
      if (changed[name] === '') continue;
      query.set(name, changed[name]);
      kept.set(name, changed[name]);
    }
    // A change of columns keeps the page.
    if (!('columns' in part)) for (const name of PLACE) query.delete(name);
    if (kept.size === 0) browserStore.remove(key);
    else browserStore.set(key, kept.toString());
    setParameters(query, { replace: 'columns' in part, preventScrollReset: true });
  };
  return [readView(parameters), change];
}

/** Returns the list's last path, for the link back from a post. app.tsx keeps it for the session. */
export function useListPath(): [string, (path: string) => void] {
  return useOutletContext();
}
