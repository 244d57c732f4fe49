import { useMediaQuery } from '@mui/material';
import { useDeferredValue } from 'react';
import { Remembered } from '../api/remembered.js';
import { useObservable } from '../api/observable.js';
import { useIsPrinted } from './paper.js';

/** The names of the schemes. */
export const COLOR_SCHEMES = { system: 'System', light: 'Light', dark: 'Dark' } as const;
export type ColorScheme = keyof typeof COLOR_SCHEMES;

/** Light, dark, or the system's scheme. */
export const colorScheme = new Remembered<ColorScheme>('color-scheme', 'system', (value) =>
  Object.hasOwn(COLOR_SCHEMES, value),
);

export function useIsDark(): boolean {
  const isSystemDark = useMediaQuery('(prefers-color-scheme: dark)', { noSsr: true });
  // Rendered in slices of time, because it concerns every element. Paper is white, and printed at once.
  const chosen = useDeferredValue(useObservable(colorScheme));
  const isPrinted = useIsPrinted();
  if (isPrinted) return false;
  return chosen === 'system' ? isSystemDark : chosen === 'dark';
}
