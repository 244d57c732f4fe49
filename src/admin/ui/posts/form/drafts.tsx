import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { draftKey } from '../../api/client.js';
import { type Content, FIELDS, isSameContent, type PostWithEtag } from '../../api/posts.js';
import { browserStore } from '../../api/remembered.js';
import { momentText } from '../../time/dates.js';
import { useTimeZone } from '../../time/time-zone.js';

/** Unsaved input of a form. */
export interface Draft {
  readonly content: Content;
  /** The post that the draft is based on. A save is compared with it. */
  readonly base?: PostWithEtag;
  readonly at: string;
}

/** The pause in typing after which a draft is stored. */
const PAUSE_MS = 400;

export type Drafts = ReturnType<typeof useDrafts>;

/**
 * Stores the input of a form in this browser, per account, until it is saved. It survives reloads, crashes and log-ins.
 */
export function useDrafts(base: PostWithEtag | undefined, initial: Content, content: Content) {
  const key = draftKey(base === undefined ? 'create' : String(base.id));
  const [offered, setOffered] = useState(() => readDraft(key, initial));
  const [isTooLarge, setTooLarge] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => {
    const keep = (): void => {
      const draft: Draft = { content, ...(base && { base }), at: new Date().toISOString() };
      if (!isSameContent(content, base ?? initial)) {
        setTooLarge(!browserStore.set(key, JSON.stringify(draft)));
      } else if (!offered) browserStore.remove(key);
    };
    timer.current = setTimeout(keep, PAUSE_MS);
    return () => clearTimeout(timer.current);
  }, [key, base, initial, content, offered]);

  const withdrawOffer = (): void => setOffered(undefined);
  return {
    /** The draft of an earlier visit, until it is restored or discarded. */
    offered,
    /** Whether the input is too large for the browser's storage. */
    isTooLarge,
    withdrawOffer,
    /** Deletes the stored draft and withdraws the offer. */
    remove: (): void => {
      // A pause in typing may still be counted: the draft must not come back.
      clearTimeout(timer.current);
      browserStore.remove(key);
      withdrawOffer();
    },
  };
}

/** The stored draft, if it differs from what the form shows. */
function readDraft(key: string, initial: Content): Draft | undefined {
  try {
    const draft = JSON.parse(browserStore.get(key) ?? 'null') as Draft | null;
    const isDraft = draft !== null && FIELDS.every((field) => typeof draft.content[field] === 'string');
    return isDraft && !isSameContent(draft.content, initial) ? draft : undefined;
  } catch {
    return undefined;
  }
}

/** Offers to restore an unsaved draft. */
export function DraftOffer({ drafts, onTake }: { drafts: Drafts; onTake: () => void }): ReactNode {
  const zone = useTimeZone();
  const { offered, isTooLarge, remove } = drafts;
  if (isTooLarge) {
    const text = 'This text is too large for the browser to keep. Save it before you leave.';
    return <Alert severity="warning">{text}</Alert>;
  }
  if (offered === undefined) return null;
  return (
    <Alert
      severity="info"
      role="status"
      action={
        <>
          <Button color="inherit" size="small" onClick={onTake}>
            Restore it
          </Button>
          <Button color="inherit" size="small" onClick={remove}>
            Discard it
          </Button>
        </>
      }
    >
      {`There is unsaved text from ${momentText(offered.at, zone)}.`}
    </Alert>
  );
}
