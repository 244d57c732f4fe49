import { Observable } from './observable.js';

/** The site's data in localStorage. The storage may be full or disabled: nothing depends on it. */
export const browserStore = {
  get: (key: string): string | null => attempt(() => localStorage.getItem(key)) ?? null,
  /** @returns whether the value was stored */
  set: (key: string, value: string): boolean =>
    attempt(() => {
      localStorage.setItem(key, value);
      return true;
    }) ?? false,
  remove: (key: string): void => attempt(() => localStorage.removeItem(key)),
  keys: (): string[] => attempt(() => Object.keys(localStorage)) ?? [],
};

function attempt<T>(access: () => T): T | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}

/** A preference stored in this browser. The default is not stored, so that a later version can change it. */
export class Remembered<T extends string> extends Observable<T> {
  readonly #key: string;

  constructor(
    name: string,
    private readonly byDefault: T,
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
