/** The state of an entry of the browser's history: what the router keeps there, and whether the entry is above a page. */
interface EntryState {
  readonly key?: string;
  readonly idx?: number;
  readonly isAbovePage?: boolean;
}

/** The router's key of the page that the tab was opened with. */
const FIRST_KEY = 'default';

function currentState(): EntryState {
  return (history.state ?? {}) as EntryState;
}

/**
 * An entry of the browser's history for what is open above a page, as a dialog or a menu. Back leaves this entry, and closes
 * what is open. Without it, Back would leave the site if the page is the first one of its tab. No script can stop that.
 * The entry has the address and the state of the page, and the router does not see moves between the two.
 */
class EntryAbovePage {
  /** Called when Back has left the entry. */
  onBack = (): void => undefined;

  #last = currentState();
  /** A step back to the page that has begun. */
  #leaving: PromiseWithResolvers<void> | undefined;

  constructor() {
    // Called before the router's listener.
    window.addEventListener('popstate', (event) => this.#onMove(event), { capture: true });
  }

  /** Whether the browser is at it. */
  isEntered(): boolean {
    return currentState().isAbovePage === true;
  }

  /** Whether the browser is at the page with this key of the router, or above it. */
  isOf(key: string): boolean {
    return (currentState().key ?? FIRST_KEY) === key;
  }

  enter(): void {
    if (this.isEntered()) return;
    const page = currentState();
    // The router counts entries by `idx`.
    this.#last = { ...page, idx: (page.idx ?? 0) + 1, isAbovePage: true };
    history.pushState(this.#last, '');
  }

  /** Returns to the entry of the page. */
  leave(): Promise<void> {
    if (!this.isEntered()) return Promise.resolve();
    if (this.#leaving === undefined) {
      this.#leaving = Promise.withResolvers();
      history.back();
    }
    return this.#leaving.promise;
  }

  #onMove(event: PopStateEvent): void {
    const current = currentState();
    const isOnPage = current.key === this.#last.key && current.isAbovePage !== this.#last.isAbovePage;
    this.#last = current;
    if (isOnPage) event.stopImmediatePropagation();
    if (this.isEntered()) {
      // By Forward: there is nothing to open again.
      void this.leave();
    } else if (this.#leaving) {
      this.#leaving.resolve();
      this.#leaving = undefined;
    } else if (isOnPage) this.onBack();
  }
}

export const entryAbove = new EntryAbovePage();
