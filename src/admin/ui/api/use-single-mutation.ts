import { useMutation, type UseMutationOptions } from '@tanstack/react-query';
import { useId } from 'react';
import { queryClient } from './client.js';

/**
 * A mutation that does not begin again while it runs. `isRunning` knows at once: the second click of a double click, or
 * Escape after Enter, comes before `isPending` is rendered.
 */
export function useSingleMutation<Result, Variables = void>(
  options: UseMutationOptions<Result, Error, Variables>,
) {
  const mutationKey = [useId()];
  const mutation = useMutation({ ...options, mutationKey });
  const isRunning = (): boolean => queryClient.isMutating({ mutationKey }) > 0;
  const mutate = (variables: Variables): void => {
    if (!isRunning()) mutation.mutate(variables);
  };
  return { ...mutation, mutate, isRunning };
}
