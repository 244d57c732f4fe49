import { useRef } from 'react';
import type { Content } from './posts.js';

/** Returns a random `Idempotency-Key`. `crypto.randomUUID` is missing on pages without TLS. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

/** Returns the key for a post to create. The same content gets the same key, so a retry creates nothing twice. */
export function useIdempotencyKey(): (content: Content) => string {
  const last = useRef<{ content: string; key: string }>(undefined);
  return (content) => {
    const text = JSON.stringify(content);
    if (last.current?.content !== text) last.current = { content: text, key: randomKey() };
    return last.current.key;
  };
}
