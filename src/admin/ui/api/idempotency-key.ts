import { useRef } from 'react';
import type { Content } from './posts.js';

/** For an `Idempotency-Key`. Not `crypto.randomUUID`: that is missing where the site is reached without TLS. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

/** Gives a key for what is to be created: the same for the same content, so that trying again creates nothing twice. */
export function useIdempotencyKey(): (content: Content) => string {
  const last = useRef<{ content: string; key: string }>(undefined);
  return (content) => {
    const text = JSON.stringify(content);
    if (last.current?.content !== text) last.current = { content: text, key: randomKey() };
    return last.current.key;
  };
}
