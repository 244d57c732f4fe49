import { useEffect } from 'react';
import { session } from '../api/client.js';

/** Long enough that a screen reader has taken the text over, also one that is still reading. */
const KEPT_MS = 10_000;

/** The live region of index.html. */
const region = document.getElementById('announcements')!;

// A dialog hides all elements beside it.
new MutationObserver(() => region.removeAttribute('aria-hidden')).observe(region, {
  attributeFilter: ['aria-hidden'],
});

/**
 * Has screen readers say a text, after what they are saying. Many of them say nothing of a live region that comes with its
 * text, so there is one that is always there, outside of what a dialog hides.
 */
export function announce(text: string): void {
  // Texts that come together are said one after the other: only what is added is said.
  const line = document.createElement('p');
  line.textContent = text;
  region.append(line);
  setTimeout(() => line.remove(), KEPT_MS);
}

/** Announces a text when it is shown, and again when it changes. */
export function useAnnouncement(text: string | false | undefined): void {
  useEffect(() => {
    if (text) announce(text);
  }, [text]);
}

// What was said to one account is not for the next one.
session.subscribe(() => {
  if (session.get() === undefined) region.replaceChildren();
});
