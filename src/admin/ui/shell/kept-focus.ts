import { focusHeading } from './page.js';

/**
 * Keeps the focus on the page: when the focused element is removed, as a button that vanishes when it is pressed, browsers
 * leave the focus nowhere, and the keyboard starts again at the top of the window. The heading gets it instead.
 */
export function keepFocus(): () => void {
  let focused: Element | undefined;
  const check = (): void => {
    if (focused === undefined || document.activeElement !== document.body) return;
    const isRemoved = !focused.isConnected;
    focused = undefined;
    // A dialog keeps the focus itself.
    if (isRemoved && document.querySelector('[role=dialog]') === null) focusHeading({ preventScroll: true });
  };
  // An effect of React, such as that of a closed dialog, may move the focus first.
  const checkSoon = (): void => void setTimeout(check);
  const onFocus = ({ target }: FocusEvent): void => {
    if (target instanceof Element) focused = target;
  };
  const removals = new MutationObserver(() => {
    if (focused?.isConnected === false) checkSoon();
  });
  document.addEventListener('focusin', onFocus);
  // A click beside it has taken the focus away on purpose. A browser may report a removal so, too.
  document.addEventListener('focusout', checkSoon);
  removals.observe(document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener('focusin', onFocus);
    document.removeEventListener('focusout', checkSoon);
    removals.disconnect();
  };
}
