import { useEffect, useRef } from 'react';
import { Observable } from '../api/observable.js';
import { Remembered } from '../api/remembered.js';

export interface Shortcut {
  /** The key as on the keyboard: `/`, or `Mod+s` for Ctrl or ⌘. */
  readonly key: string;
  readonly text: string;
  readonly run: () => void;
}

/** The shortcuts of the current page. */
export const shortcuts = new Observable<readonly Shortcut[]>([]);

/** Single-key shortcuts can be turned off, for users of speech input or with unsteady hands (WCAG 2.1.4). */
export const singleKeys = new Remembered<'on' | 'off'>('single-keys', 'on', (value) => value === 'off');

/** Registers a shortcut while the component is mounted, if there is a key. */
export function useKey(key: string | undefined, text: string, run: () => void): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    if (key === undefined) return undefined;
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
  // No shortcut runs behind a dialog. The browser's own action, such as saving the page, is prevented too.
  if (document.querySelector('[role=dialog]') === null) shortcut.run();
});
