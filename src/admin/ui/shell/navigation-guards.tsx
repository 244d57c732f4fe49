import { type ReactNode, useCallback, useEffect, useEffectEvent, useRef } from 'react';
import { type BlockerFunction, type Location, NavigationType, useBlocker } from 'react-router';
import { Observable, useObservable } from '../api/observable.js';

/** A navigation that a guard has stopped. */
export interface StoppedNavigation {
  /** Whether it is Back or Forward. */
  readonly isBack: boolean;
  readonly goOn: () => void;
  readonly cancel: () => void;
}

interface Guard {
  readonly stops: (isBack: boolean, next: Location) => boolean;
  readonly onStopped: (navigation: StoppedNavigation) => void;
}

/** The guards of the page and of the dialogs above it. The last one decides. */
const guards = new Observable<readonly Guard[]>([]);

/** Stops navigations while `isActive`: what the page shows is asked first. */
export function useGuard(isActive: boolean, { stops, onStopped }: Guard): void {
  const askStops = useEffectEvent(stops);
  const tellStopped = useEffectEvent(onStopped);
  useEffect(() => {
    if (!isActive) return undefined;
    const guard: Guard = {
      stops: (...navigation) => askStops(...navigation),
      onStopped: (navigation) => tellStopped(navigation),
    };
    guards.set([...guards.get(), guard]);
    return () => guards.set(guards.get().filter((each) => each !== guard));
  }, [isActive]);
}

/** Back, as the button of a phone, closes what is open above the page, and does nothing else. */
export function useBackCloses(isOpen: boolean, close: () => void): void {
  useGuard(isOpen, {
    stops: (isBack) => isBack,
    onStopped: ({ cancel }) => {
      cancel();
      close();
    },
  });
}

/** Mounted once: the router supports a single blocker. */
export function NavigationGuards(): ReactNode {
  return useObservable(guards).length > 0 && <Guards />;
}

function Guards(): null {
  const isBack = useRef(false);
  const isStopped = useCallback<BlockerFunction>(({ historyAction, nextLocation }) => {
    isBack.current = historyAction === NavigationType.Pop;
    return guards.get().at(-1)?.stops(isBack.current, nextLocation) ?? false;
  }, []);
  const blocker = useBlocker(isStopped);
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    const { proceed: goOn, reset: cancel } = blocker;
    guards.get().at(-1)?.onStopped({ isBack: isBack.current, goOn, cancel });
  }, [blocker]);
  return null;
}
