import { Observable } from './observable.js';

/** What this browser keeps for the site beyond the tab. It may be full, or refuse: nothing depends on it. */
export const browserStore = {
  get(key: string): string | null {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  },
  /** @returns whether it is kept */
  set(key: string, value: string): boolean {
    try {
      localStorage.setItem(key, value);
      return true;
    } catch {
      return false;
    }
  },
  remove(key: string): void {
    try {
      localStorage.removeItem(key);
    } catch {
      // Then it was never kept.
    }
  },
  keys(): string[] {
    try {
      return Object.keys(localStorage);
    } catch {
      return [];
    }
  },
};

/** A choice that this browser remembers. The default is not kept, so that it may become another. */
export class Remembered<T extends string> extends Observable<T> {
  readonly #key: string;

  constructor(
    name: string,
    readonly byDefault: T,
    isValid: (value: string) => boolean,
  ) {
    const key = `posts-admin.${name}`;
    const kept = browserStore.get(key);
    super(kept !== null && isValid(kept) ? (kept as T) : byDefault);
    this.#key = key;
  }

  override set(value: T): void {
    if (value === this.byDefault) browserStore.remove(this.#key);
    else browserStore.set(this.#key, value);
    super.set(value);
  }
}
