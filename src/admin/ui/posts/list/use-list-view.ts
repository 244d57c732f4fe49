import { useEffect, useRef } from 'react';
import { NavigationType, useNavigationType, useOutletContext, useSearchParams } from 'react-router';
import { session } from '../../api/client.js';
import { browserStore } from '../../api/remembered.js';
import { PLACE } from '../../shell/list/url-filters.js';
import { type ListView, readView, VIEW_PARAMETERS, viewParameters } from './list-view.js';

type ChangeView = (change: Partial<ListView>) => void;

/**
 * How the list shows its posts, as the address has it, and the way to change it, by which one can go back. Who comes to an
 * address that says nothing finds the list as the account left it in this browser.
 */
export function useListView(): [ListView, ChangeView] {
  const [parameters, setParameters] = useSearchParams();
  const type = useNavigationType();
  const isFirst = useRef(true);
  const key = `posts-admin.list.${session.get()?.account.id}`;
  const isBare = parameters.size === 0;

  useEffect(() => {
    // To go back to such an address is to go back to what it showed.
    const isArrival = isBare && (isFirst.current || type === NavigationType.Push);
    isFirst.current = false;
    const kept = browserStore.get(key);
    if (isArrival && kept !== null) setParameters(new URLSearchParams(kept), { replace: true });
  }, [isBare, type, key, setParameters]);

  const change: ChangeView = (part) => {
    // As it is now: what the router hands on follows with the next rendering, and a change may come before that.
    const query = new URLSearchParams(window.location.search);
    const changed = viewParameters({ ...readView(query), ...part });
    const kept = new URLSearchParams();
    for (const name of VIEW_PARAMETERS) {
      query.delete(name);
      if (changed[name] === '') continue;
      query.set(name, changed[name]);
      kept.set(name, changed[name]);
    }
    // Other columns show the same page.
    if (!('columns' in part)) for (const name of PLACE) query.delete(name);
    if (kept.size === 0) browserStore.remove(key);
    else browserStore.set(key, kept.toString());
    setParameters(query, { replace: 'columns' in part, preventScrollReset: true });
  };
  return [readView(parameters), change];
}

/** Where the list was left, for the way back from a post; app.tsx keeps it as long as the session lasts. */
export function useListPath(): [string, (path: string) => void] {
  return useOutletContext();
}
