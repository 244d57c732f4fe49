import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';

/** A mutation that is aborted by `stop`, and when its page is left. */
export function useStoppable<Variables, Result>(
  run: (variables: Variables, signal: AbortSignal) => Promise<Result>,
) {
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const mutation = useMutation({
    mutationFn: (variables: Variables) => {
      running.current = new AbortController();
      return run(variables, running.current.signal);
    },
  });
  return { ...mutation, stop: (): void => running.current?.abort() };
}
