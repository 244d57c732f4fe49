import { useLocation } from 'react-router';

/** The state of a link that leads from the list, and on from there: the list to go back to. */
export interface ListState {
  readonly list?: string;
}

/** Returns the path of the list from which this page was opened, in its former state. */
export function useListPath(): string {
  const { list = '/posts' } = (useLocation().state ?? {}) as ListState;
  return list;
}
