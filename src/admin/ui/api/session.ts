export interface Account {
  readonly id: number;
  readonly username: string;
}

/** What `POST /admin/api/sessions/` answers. */
export interface SessionToken {
  readonly token: string;
  readonly expires_at: string;
  readonly account: Account;
}

const KEY = 'posts-admin.session';

/** Who is logged in, in this tab and until it is closed: kept in sessionStorage, never in a cookie or localStorage. */
export class Session {
  readonly #listeners = new Set<() => void>();
  #current: SessionToken | undefined;

  constructor(private readonly storage: Storage) {
    this.#current = stored(storage);
  }

  get current(): SessionToken | undefined {
    return this.#current;
  }

  start(token: SessionToken): void {
    this.#current = token;
    this.storage.setItem(KEY, JSON.stringify(token));
    this.#tell();
  }

  end(): void {
    this.#current = undefined;
    this.storage.removeItem(KEY);
    this.#tell();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** A page that is loaded with a token that has ended, by our clock, starts with the log-in. */
function stored(storage: Storage): SessionToken | undefined {
  try {
    const value = JSON.parse(storage.getItem(KEY) ?? 'null') as SessionToken | null;
    return typeof value?.token === 'string' && Date.parse(value.expires_at) > Date.now() ? value : undefined;
  } catch {
    return undefined;
  }
}
