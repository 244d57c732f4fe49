import { useMediaQuery } from '@mui/material';
import { Remembered } from '../api/remembered.js';
import { useObservable } from '../api/observable.js';

export const COLOR_SCHEMES = ['system', 'light', 'dark'] as const;
export type ColorScheme = (typeof COLOR_SCHEMES)[number];

/** Light, dark, or the system's scheme. */
export const colorScheme = new Remembered<ColorScheme>('color-scheme', 'system', (value) =>
  COLOR_SCHEMES.some((each) => each === value),
);

export function useIsDark(): boolean {
  const isSystemDark = useMediaQuery('(prefers-color-scheme: dark)', { noSsr: true });
  const chosen = useObservable(colorScheme);
  // Paper is white.
  const isOnScreen = useMediaQuery('screen', { noSsr: true });
  return isOnScreen && (chosen === 'system' ? isSystemDark : chosen === 'dark');
}
