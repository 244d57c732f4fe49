import { Observable } from './observable.js';

/** What an account may do: each role all that the one before it may. */
export type Role = 'viewer' | 'editor' | 'administrator';

export interface Account {
  readonly id: number;
  readonly username: string;
  readonly role: Role;
}

/** What `POST /admin/api/sessions/` answers. */
export interface SessionToken {
  readonly token: string;
  readonly expires_at: string;
  readonly account: Account;
}

const KEY = 'posts-admin.session';

/** Who is logged in, in this tab and until it is closed: kept in sessionStorage, never in a cookie or localStorage. */
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

/** A page that is loaded with a token that has ended, by our clock, starts with the log-in. */
function stored(storage: Storage): SessionToken | undefined {
  try {
    const value = JSON.parse(storage.getItem(KEY) ?? 'null') as SessionToken | null;
    return typeof value?.token === 'string' && Date.parse(value.expires_at) > Date.now() ? value : undefined;
  } catch {
    return undefined;
  }
}
