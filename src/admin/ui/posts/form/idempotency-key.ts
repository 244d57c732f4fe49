import { useRef } from 'react';
import type { Content } from '../../api/posts.js';
import { randomKey } from '../../api/random-key.js';

/** Gives a key for what is to be created: the same for the same content, so that trying again creates nothing twice. */
export function useIdempotencyKey(): (content: Content) => string {
  const last = useRef<{ content: string; key: string }>(undefined);
  return (content) => {
    const text = JSON.stringify(content);
    if (last.current?.content !== text) last.current = { content: text, key: randomKey() };
    return last.current.key;
  };
}
