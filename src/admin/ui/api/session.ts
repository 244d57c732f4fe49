import type { NewSessionDto } from '../../sessions.controller.js';
import { Observable } from './observable.js';

const KEY = 'posts-admin.session';

/**
 * The session of this tab, until the tab is closed. It is stored in sessionStorage, never in a cookie or localStorage.
 */
export class Session extends Observable<Readonly<NewSessionDto> | undefined> {
  constructor(private readonly storage: Storage) {
    super(stored(storage));
  }

  start(token: NewSessionDto): void {
    this.storage.setItem(KEY, JSON.stringify(token));
    this.set(token);
  }

  end(): void {
    this.storage.removeItem(KEY);
    this.set(undefined);
  }
}

/** Ignores a token that has expired by the browser's clock, so the page starts with the log-in. */
function stored(storage: Storage): NewSessionDto | undefined {
  try {
    const value = JSON.parse(storage.getItem(KEY) ?? 'null') as NewSessionDto | null;
    return typeof value?.token === 'string' && Date.parse(value.expires_at) > Date.now() ? value : undefined;
  } catch {
    return undefined;
  }
}
