import type { LogInAgain } from './log-in-again.js';
import { Problem, Unreachable } from './problem.js';
import type { Session, SessionToken } from './session.js';
import { upload } from './upload.js';

export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Query parameters; those without a value are left out. */
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is, with the media type that `headers` names. */
  readonly body?: XMLHttpRequestBodyInit;
  readonly signal?: AbortSignal | undefined;
  /** Is told how many bytes of the body were sent so far. */
  readonly onUploadProgress?: (sentBytes: number) => void;
}

/**
 * The one client of the posts API and of `/admin/api/`: every request of the site goes through it. It knows the token,
 * asks to log in again when that has ended, repeats the request then, and turns every other refusal into a Problem.
 */
export class Api {
  constructor(
    /** Where the service stands, with a slash at its end. */
    private readonly root: string,
    private readonly session: Session,
    private readonly logInAgain: LogInAgain,
  ) {}

  /**
   * Sends a request and returns its successful answer, unread.
   *
   * @param path below the service's root, without a slash before it: `posts/7/`, `admin/api/months/`
   * @throws Problem, Unreachable, NotLoggedIn; or the signal's reason
   */
  async send(path: string, request: ApiRequest = {}): Promise<Response> {
    for (;;) {
      const token = this.session.get()?.token;
      const response = await this.#fetch(path, request, token);
      if (response.ok) return response;
      const problem = await Problem.from(response);
      if (problem.status !== 401) throw problem;
      // Another request may have led to a new session meanwhile.
      if (this.session.get()?.token === token) await this.logInAgain.ask();
      request.signal?.throwIfAborted();
    }
  }

  /** As `send`, for an answer in JSON. */
  async json<T>(path: string, request: ApiRequest = {}): Promise<T> {
    return (await (await this.send(path, request)).json()) as T;
  }

  /** Starts a session. @throws Problem 401 for a wrong name or password, 429 after too many tries */
  async logIn(username: string, password: string): Promise<void> {
    const response = await this.#fetch('admin/api/sessions/', {
      method: 'POST',
      json: { username, password },
    });
    if (!response.ok) throw await Problem.from(response);
    this.session.start((await response.json()) as SessionToken);
    this.logInAgain.done();
  }

  /** Ends the session, on the service too; here it ends even when the service cannot be told. */
  async logOut(): Promise<void> {
    const token = this.session.get()?.token;
    this.session.end();
    this.logInAgain.giveUp();
    if (token === undefined) return;
    await this.#fetch('admin/api/sessions/current/', { method: 'DELETE' }, token).catch(() => undefined);
  }

  async #fetch(path: string, request: ApiRequest, token?: string): Promise<Response> {
    const { method = 'GET', query = {}, json, signal, onUploadProgress } = request;
    const url = new URL(path, this.root);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const headers = new Headers({ Accept: 'application/json' });
    if (json !== undefined) headers.set('Content-Type', 'application/json');
    if (token !== undefined) headers.set('Authorization', `Bearer ${token}`);
    for (const [name, value] of Object.entries(request.headers ?? {})) {
      if (value !== undefined) headers.set(name, value);
    }
    const body = json === undefined ? request.body : JSON.stringify(json);
    try {
      if (onUploadProgress) {
        return await upload(url, { method, headers, body, signal, onProgress: onUploadProgress });
      }
      return await fetch(url, {
        method,
        headers,
        credentials: 'omit',
        // The service's validators are for its clients; the site asks for what is true now.
        cache: 'no-store',
        ...(body !== undefined && { body }),
        ...(signal && { signal }),
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw new Unreachable(error);
    }
  }
}
