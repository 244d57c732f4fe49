import { useCallback, useEffect, useEffectEvent, useRef } from 'react';
import {
  type Blocker,
  type BlockerFunction,
  type Location,
  NavigationType,
  useBlocker,
  useLocation,
} from 'react-router';
import { Observable } from '../api/observable.js';
import { entryAbove } from './entry-above.js';

/** A navigation that a guard has stopped. */
export interface StoppedNavigation {
  /** Whether it is Back or Forward. */
  readonly isBack: boolean;
  readonly goOn: () => void;
  readonly cancel: () => void;
}

interface Guard {
  /** Whether it is for what is open above the page. */
  readonly isAbovePage: boolean;
  readonly stops: (isBack: boolean, next: Location) => boolean;
  readonly onStopped: (navigation: StoppedNavigation) => void;
}

/** The guards of the page and of the dialogs above it. The last one decides. */
const guards = new Observable<readonly Guard[]>([]);

function lastAbove(): Guard | undefined {
  return guards.get().findLast(({ isAbovePage }) => isAbovePage);
}

/** Whether something is open above the page that Back would close. */
export function isOpenAbovePage(): boolean {
  return lastAbove() !== undefined;
}

/** Has the browser's history have an entry for what is open above the page, as long as something is. */
async function followGuards(): Promise<void> {
  // What closes a menu often opens a dialog.
  if (!lastAbove()) await new Promise((resolve) => setTimeout(resolve));
  if (!lastAbove()) await entryAbove.leave();
  if (lastAbove()) entryAbove.enter();
}

guards.subscribe(() => void followGuards());

/** The Back that has left the entry: it is over. */
const ENDED: StoppedNavigation = { isBack: true, goOn: () => undefined, cancel: () => undefined };

entryAbove.onBack = () => {
  lastAbove()?.onStopped(ENDED);
  // A dialog may stay: it asks first, or waits for a response.
  setTimeout(() => void followGuards());
};

/** Stops navigations while `isActive`: what the page shows is asked first. */
export function useGuard(isActive: boolean, { isAbovePage, stops, onStopped }: Guard): void {
  const askStops = useEffectEvent(stops);
  const tellStopped = useEffectEvent(onStopped);
  useEffect(() => {
    if (!isActive) return undefined;
    const guard: Guard = {
      isAbovePage,
      stops: (...navigation) => askStops(...navigation),
      onStopped: (navigation) => tellStopped(navigation),
    };
    guards.set([...guards.get(), guard]);
    return () => guards.set(guards.get().filter((each) => each !== guard));
  }, [isActive, isAbovePage]);
}

/** Back, as the button of a phone, closes what is open above the page, and does nothing else. */
export function useBackCloses(isOpen: boolean, close: () => void): void {
  useGuard(isOpen, {
    isAbovePage: true,
    stops: (isBack) => isBack,
    onStopped: ({ cancel }) => {
      cancel();
      close();
    },
  });
}

/** Mounted once: the router supports a single blocker. */
export function NavigationGuards(): null {
  const { key } = useLocation();
  const isBack = useRef(false);
  const stoppedBy = useRef<Guard>(undefined);
  const isStopped = useCallback<BlockerFunction>(({ historyAction, nextLocation }) => {
    isBack.current = historyAction === NavigationType.Pop;
    const guard = guards.get().at(-1);
    stoppedBy.current = guard?.stops(isBack.current, nextLocation) ? guard : undefined;
    // A page that is opened takes the place of the entry above the last one.
    return stoppedBy.current !== undefined || (!isBack.current && entryAbove.isEntered());
  }, []);
  const blocker = useBlocker(isStopped);
  const tellStopped = useEffectEvent(({ proceed, reset: cancel }: Extract<Blocker, { state: 'blocked' }>) => {
    const goOn = (): void => void entryAbove.leave().then(proceed);
    if (stoppedBy.current) stoppedBy.current.onStopped({ isBack: isBack.current, goOn, cancel });
    else goOn();
  });
  // After Back, the router returns to the entry of the page, which takes a moment.
  const isReturning = useEffectEvent(() => isBack.current && !entryAbove.isOf(key));
  useEffect(() => {
    if (blocker.state !== 'blocked') return undefined;
    const tell = (): void => tellStopped(blocker);
    if (!isReturning()) return tell();
    window.addEventListener('popstate', tell, { once: true });
    return () => window.removeEventListener('popstate', tell);
  }, [blocker]);
  // A dialog may stay open above the next page.
  useEffect(() => {
    if (blocker.state === 'unblocked') void followGuards();
  });
  return null;
}
