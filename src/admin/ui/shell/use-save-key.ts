import { useEffect, useEffectEvent } from 'react';

/** Calls the function at Ctrl+S or ⌘S, on any keyboard layout, unless a dialog is open. */
export function useSaveKey(save: () => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const { key, code, ctrlKey, metaKey, altKey } = event;
    if (!(ctrlKey || metaKey) || altKey || event.isComposing) return;
    // A layout of another script has no key `s`: the key at its place counts.
    const isS = /^[a-z]$/i.test(key) ? key.toLowerCase() === 's' : code === 'KeyS';
    if (!isS) return;
    // The browser does not save the page, behind a dialog either.
    event.preventDefault();
    if (document.querySelector('[role=dialog]') === null) save();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onKeyDown(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
