import { useEffect, useRef, useState } from 'react';
import type { UseFormWatch } from 'react-hook-form';
import { draftKey } from '../../api/client.js';
import { type Content, contentOf, FIELDS, type PostWithEtag } from '../../api/posts.js';
import { browserStore } from '../../api/remembered.js';

/** Unsaved input of a form. */
export interface Draft {
  readonly content: Content;
  /** The post that the draft is based on. A save is compared with it. */
  readonly base?: PostWithEtag;
  readonly at: string;
}

/** The pause in typing after which a draft is stored. */
const PAUSE_MS = 400;

export interface Drafts {
  /** The draft of an earlier visit, until it is restored or discarded. */
  readonly offered: Draft | undefined;
  /** Whether the input is too large for the browser's storage. */
  readonly isTooLarge: boolean;
  /** Deletes the stored draft and withdraws the offer. */
  readonly remove: () => void;
  readonly settle: () => void;
}

/**
 * Stores the input of a form in this browser, per account, until it is saved. It survives reloads, crashes and log-ins.
 */
export function useDrafts(
  base: PostWithEtag | undefined,
  initial: Content,
  watch: UseFormWatch<Content>,
): Drafts {
  const key = draftKey(base === undefined ? 'create' : String(base.id));
  const [offered, setOffered] = useState(() => {
    const draft = read(key);
    return draft && !isSame(draft.content, initial) ? draft : undefined;
  });
  const [isTooLarge, setTooLarge] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => {
    const keep = (content: Content): void => {
      if (isSame(content, base === undefined ? initial : contentOf(base))) return browserStore.remove(key);
      const draft: Draft = { content, ...(base && { base }), at: new Date().toISOString() };
      setTooLarge(!browserStore.set(key, JSON.stringify(draft)));
    };
    const { unsubscribe } = watch((content) => {
      clearTimeout(timer.current);
      timer.current = setTimeout(() => keep(content as Content), PAUSE_MS);
    });
    return () => {
      clearTimeout(timer.current);
      unsubscribe();
    };
  }, [key, base, initial, watch]);

  const settle = (): void => setOffered(undefined);
  return {
    offered,
    isTooLarge,
    settle,
    remove: () => {
      // A pause in typing may still be counted: the draft must not come back.
      clearTimeout(timer.current);
      browserStore.remove(key);
      settle();
    },
  };
}

function read(key: string): Draft | undefined {
  try {
    const draft = JSON.parse(browserStore.get(key) ?? 'null') as Draft | null;
    return draft && FIELDS.every((field) => typeof draft.content[field] === 'string') ? draft : undefined;
  } catch {
    return undefined;
  }
}

function isSame(one: Content, other: Content): boolean {
  return FIELDS.every((field) => one[field] === other[field]);
}
