import { Observable } from './observable.js';

/** Roles, each with all rights of the one before it. */
export type Role = 'viewer' | 'editor' | 'administrator';

export interface Account {
  readonly id: number;
  readonly username: string;
  readonly role: Role;
}

/** The response of `POST /admin/api/sessions/`. */
export interface SessionToken {
  readonly token: string;
  readonly expires_at: string;
  readonly account: Account;
}

const KEY = 'posts-admin.session';

/**
 * The session of this tab, until the tab is closed. It is stored in sessionStorage, never in a cookie or localStorage.
 */
export class Session extends Observable<SessionToken | undefined> {
  constructor(private readonly storage: Storage) {
    super(stored(storage));
  }

  start(token: SessionToken): void {
    this.storage.setItem(KEY, JSON.stringify(token));
    this.set(token);
  }

  end(): void {
    this.storage.removeItem(KEY);
    this.set(undefined);
  }
}

/** Ignores a token that has expired by the browser's clock, so the page starts with the log-in. */
function stored(storage: Storage): SessionToken | undefined {
  try {
    const value = JSON.parse(storage.getItem(KEY) ?? 'null') as SessionToken | null;
    return typeof value?.token === 'string' && Date.parse(value.expires_at) > Date.now() ? value : undefined;
  } catch {
    return undefined;
  }
}
