import { Alert, Button } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { session } from '../../api/client.js';
import { type Draft, findDrafts, slotOf } from '../../api/draft-store.js';
import { KEYS } from '../../api/keys.js';
import { useObservable } from '../../api/observable.js';
import { type Content, FIELDS, isSameContent, type PostWithEtag } from '../../api/posts.js';
import { browserStore } from '../../api/remembered.js';
import { useAnnouncement } from '../../shell/announcements.js';
import { momentText } from '../../time/dates.js';
import { useTimeZone } from '../../time/time-zone.js';
import { Moment } from '../../time/moment.js';

/** The pause in typing after which a draft is stored. Of a long text it is longer: to store 1 MiB takes some 30 ms. */
const PAUSE_MS = 400;
const CHARACTERS_PER_MS = 1_000;

function lengthOf(content: Content): number {
  return FIELDS.reduce((length, field) => length + content[field].length, 0);
}

export type Drafts = ReturnType<typeof useDrafts>;

/**
 * Stores the input of a form in this browser, per account and tab, until it is saved. It survives reloads, crashes and
 * log-ins.
 */
export function useDrafts(base: PostWithEtag | undefined, initial: Content, content: Content) {
  const form = base === undefined ? 'create' : String(base.id);
  const slot = slotOf(form);
  const isLoggedIn = useObservable(session)?.token !== undefined;
  const [isSettled, setSettled] = useState(false);
  const [isTooLarge, setTooLarge] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { data: found = [] } = useQuery({
    queryKey: KEYS.drafts(form),
    queryFn: () => findDrafts(form),
    staleTime: 'static',
    gcTime: 0,
  });
  const offered = isSettled ? undefined : found.find((each) => !isSameContent(each.content, initial));

  useEffect(() => {
    const keep = (): void => {
      const draft: Draft = { content, ...(base && { base }), at: new Date().toISOString() };
      if (!isSameContent(content, base ?? initial)) {
        setTooLarge(!browserStore.set(slot, JSON.stringify(draft)));
      } else browserStore.remove(slot);
    };
    // A log-out in another tab has removed the draft: it is stored again.
    timer.current = setTimeout(keep, isLoggedIn ? PAUSE_MS + lengthOf(content) / CHARACTERS_PER_MS : 0);
    // While the browser had suspended this tab, another one may have taken it for closed, and discarded its draft.
    const keepAgain = (): void => {
      if (document.visibilityState === 'visible') keep();
    };
    document.addEventListener('visibilitychange', keepAgain);
    return () => {
      clearTimeout(timer.current);
      document.removeEventListener('visibilitychange', keepAgain);
    };
  }, [slot, isLoggedIn, base, initial, content]);

  return {
    /** The newest draft of an earlier visit, until it is restored or discarded. */
    offered,
    /** Whether the input is too large for the browser's storage. */
    isTooLarge,
    /** Removes the offered draft. Others are offered at the next visit. */
    settle: (): void => {
      if (offered) browserStore.remove(offered.key);
      setSettled(true);
    },
    remove: (): void => {
      // A pause in typing may still be counted: the draft must not come back.
      clearTimeout(timer.current);
      browserStore.remove(slot);
    },
  };
}

export interface DraftOfferProps {
  readonly drafts: Drafts;
  readonly onTake: () => void;
  readonly onDiscard: () => void;
}

export function DraftOffer({ drafts, onTake, onDiscard }: DraftOfferProps): ReactNode {
  const { offered, isTooLarge } = drafts;
  const zone = useTimeZone();
  useAnnouncement(offered && `There is unsaved text from ${momentText(offered.at, zone)}.`);
  if (isTooLarge) {
    const text = 'This text is too large for the browser to keep. Save it before you leave.';
    return <Alert severity="warning">{text}</Alert>;
  }
  if (offered === undefined) return null;
  return (
    <Alert
      severity="info"
      role="presentation"
      action={
        <>
          <Button color="inherit" size="small" onClick={onTake}>
            Restore it
          </Button>
          <Button color="inherit" size="small" onClick={onDiscard}>
            Discard it
          </Button>
        </>
      }
    >
      There is unsaved text from <Moment at={offered.at} />.
    </Alert>
  );
}
