import { useEffect, useRef } from 'react';
import { Observable } from '../api/observable.js';
import { Remembered } from '../api/remembered.js';
import type { TextKey } from '../texts/texts.js';

export interface Shortcut {
  /** As on the keyboard: `/`, or `Mod+s` for Ctrl or ⌘. */
  readonly key: string;
  readonly text: TextKey;
  readonly run: () => void;
}

/** What the keys do on the page that is shown. */
export const shortcuts = new Observable<readonly Shortcut[]>([]);

/** Who dictates, or presses keys by accident, turns single keys off (WCAG 2.1.4). */
export const singleKeys = new Remembered<'on' | 'off'>('single-keys', 'on', (value) => value === 'off');

/** Lets a key do something as long as the component is on the page. */
export function useKey(key: string, text: TextKey, run: () => void): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    const shortcut: Shortcut = { key, text, run: () => latest.current() };
    shortcuts.set([...shortcuts.get(), shortcut]);
    return () => shortcuts.set(shortcuts.get().filter((each) => each !== shortcut));
  }, [key, text]);
}

window.addEventListener('keydown', (event) => {
  const { key, ctrlKey, metaKey, altKey, target } = event;
  const isMod = ctrlKey || metaKey;
  if (altKey || event.defaultPrevented || event.isComposing) return;
  const isTyping =
    target instanceof Element &&
    target.matches('input:not([type=checkbox]), textarea, select, [contenteditable]');
  if (!isMod && (isTyping || singleKeys.get() === 'off')) return;
  const wanted = isMod ? `Mod+${key.toLowerCase()}` : key;
  const shortcut = shortcuts.get().findLast((each) => each.key === wanted);
  if (shortcut === undefined) return;
  event.preventDefault();
  // Behind a dialog nothing happens, and the browser saves no page either.
  if (document.querySelector('[role=dialog]') === null) shortcut.run();
});
