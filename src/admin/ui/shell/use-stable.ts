import { useCallback, useLayoutEffect, useRef } from 'react';

/**
 * A function for events that stays the same in every render, and does what that of the last render would do. What it is
 * handed to is not rendered again because of it.
 */
export function useStable<Parameters extends readonly unknown[]>(
  act: (...parameters: Parameters) => void,
): (...parameters: Parameters) => void {
  const latest = useRef(act);
  useLayoutEffect(() => {
    latest.current = act;
  });
  return useCallback((...parameters: Parameters) => latest.current(...parameters), []);
}
