import { useCallback, useMemo } from 'react';
import { useOutletContext, useSearchParams } from 'react-router';
import { changeState, type ListState, readState, writeState } from './list-state.js';

type ChangeList = (change: Partial<ListState>, options?: { replace?: boolean }) => void;

/** The state of the list as the URL has it, and the way to change it, by which one can go back. */
export function useListState(): [ListState, ChangeList] {
  const [parameters, setParameters] = useSearchParams();
  const state = useMemo(() => readState(parameters), [parameters]);
  const change = useCallback<ChangeList>(
    (part, { replace = false } = {}) => {
      // As it is now: what the router hands on follows with the next rendering, and a change may come before that.
      const current = readState(new URLSearchParams(window.location.search));
      setParameters(writeState(changeState(current, part)), { replace, preventScrollReset: true });
    },
    [setParameters],
  );
  return [state, change];
}

/** Where the list was left, for the way back from a post; app.tsx keeps it as long as the session lasts. */
export function useListPath(): [string, (path: string) => void] {
  return useOutletContext();
}
