import { useSearchParams } from 'react-router';
import { useChangeParameters } from '../../shell/list/url-filters.js';
import { type ListView, readView, viewParameters } from './list-view.js';

/** Returns the view in the URL and a function that changes it. Each change is a history entry. */
export function useListView(): [ListView, (change: Partial<ListView>) => void] {
  const [parameters] = useSearchParams();
  const changeParameters = useChangeParameters();
  return [
    readView(parameters),
    (change) =>
      changeParameters(
        viewParameters({ ...readView(new URLSearchParams(window.location.search)), ...change }),
      ),
  ];
}
