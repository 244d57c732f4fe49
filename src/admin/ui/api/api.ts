import type { NewSessionDto } from '../../sessions.controller.js';
import { NotLoggedIn, OtherAccount, Problem, Unreachable } from './problem.js';
import type { Session } from './session.js';
import { hasUnkeptInput } from './unsaved-input.js';

/** Query parameters; undefined and empty values are omitted. */
export type Query = Readonly<Record<string, string | number | undefined>>;

export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly query?: Query;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent unchanged, with the media type in `headers`. */
  readonly body?: BodyInit;
  readonly signal?: AbortSignal | undefined;
}

export const CURRENT_SESSION = 'admin/api/sessions/current/';

/**
 * The only client of the posts API and of `/admin/api/`; every request of the site uses it. It sends the token. When
 * the session has ended, it asks the user to log in again and repeats the request. Every other refusal becomes a
 * Problem.
 */
export class Api {
  /** How far the service's clock is ahead of this computer's, as the last response said. */
  #aheadMs = 0;

  constructor(
    /** The root URL of the service, with a trailing slash. */
    private readonly root: string,
    private readonly session: Session,
    /** Called when the account may not do what it asked for, because its role has changed perhaps. */
    private readonly onForbidden: () => void,
  ) {}

  /**
   * Sends a request and returns its successful response, unread.
   *
   * @param path below the service's root, without a leading slash: `posts/7/`, `admin/api/months/`
   * @throws Problem, Unreachable, NotLoggedIn; or the signal's reason
   */
  async send(path: string, request: ApiRequest = {}): Promise<Response> {
    // A request that waits for a new log-in is not sent for another account that logs in.
    const account = this.session.get()?.account.id;
    for (;;) {
      const token = await this.session.tokenOf(account);
      request.signal?.throwIfAborted();
      const response = await this.#fetch(path, request, token);
      // It is not for the next account, which may have logged in meanwhile.
      if (this.session.get()?.account.id !== account) throw new NotLoggedIn();
      if (response.ok) return response;
      const problem = await Problem.from(response);
      if (problem.status === 403 && path !== CURRENT_SESSION) this.onForbidden();
      if (problem.status !== 401) throw problem;
      this.session.expire(token);
    }
  }

  /** Like `send`, for a JSON response. */
  async json<T>(path: string, request: ApiRequest = {}): Promise<T> {
    return jsonOf<T>(await this.send(path, request));
  }

  /**
   * Starts a session, or continues the one that has ended under this page. For another account it starts anew, without
   * what was entered before.
   *
   * @returns whether it is another account than that of the page
   * @throws Problem 401 for a wrong name or password, 429 after too many attempts; OtherAccount when what was entered
   *   would be lost
   */
  async logIn(username: string, password: string): Promise<boolean> {
    const response = await this.#fetch('admin/api/sessions/', {
      method: 'POST',
      json: { username, password },
    });
    if (!response.ok) throw await Problem.from(response);
    const started = await jsonOf<NewSessionDto>(response);
    const kept = this.session.get()?.account;
    const isOther = kept !== undefined && kept.id !== started.account.id;
    if (isOther && hasUnkeptInput()) {
      await this.#endSession(started.token);
      throw new OtherAccount(kept.username);
    }
    // It forgets what was read for the account before.
    if (isOther) this.session.end();
    this.session.start(started);
    return isOther;
  }

  /** Ends the session, in the service too. It ends here even when the service is unreachable. */
  async logOut(): Promise<void> {
    const token = this.session.get()?.token;
    this.session.end();
    if (token !== undefined) await this.#endSession(token);
  }

  /** The time of the service, to the second. The clock of this computer may be wrong. */
  now(): Date {
    return new Date(Date.now() + this.#aheadMs);
  }

  async #endSession(token: string): Promise<void> {
    await this.#fetch(CURRENT_SESSION, { method: 'DELETE' }, token).catch(() => undefined);
  }

  async #fetch(path: string, request: ApiRequest, token?: string): Promise<Response> {
    const { method = 'GET', query = {}, json, signal } = request;
    const url = new URL(path, this.root);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined && value !== '') url.searchParams.set(name, String(value));
    }
    const headers = new Headers({ Accept: 'application/json', ...request.headers });
    if (json !== undefined) headers.set('Content-Type', 'application/json');
    if (token !== undefined) headers.set('Authorization', `Bearer ${token}`);
    const body = json === undefined ? request.body : JSON.stringify(json);
    try {
      const response = await fetch(url, {
        method,
        headers,
        credentials: 'omit',
        // The HTTP cache is for other clients; the site always reads the current state.
        cache: 'no-store',
        ...(body !== undefined && { body }),
        ...(signal && { signal }),
      });
      const sentAt = Date.parse(response.headers.get('Date') ?? '');
      if (!Number.isNaN(sentAt)) this.#aheadMs = sentAt - Date.now();
      return response;
    } catch (error) {
      signal?.throwIfAborted();
      throw new Unreachable(error);
    }
  }
}

/**
 * Reads the JSON of a response. A body that breaks off, or is the page of a proxy, is no response of the service.
 *
 * @throws Unreachable; or the reason of the request's signal
 */
export async function jsonOf<T>(response: Response): Promise<T> {
  try {
    return (await response.json()) as T;
  } catch (error) {
    if (error instanceof DOMException) throw error;
    throw new Unreachable(error);
  }
}

/** Returns a random `Idempotency-Key`. `crypto.randomUUID` is missing on pages without TLS. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
