import type { NewSessionDto } from '../../sessions.controller.js';
import { Observable } from './observable.js';
import { NotLoggedIn } from './problem.js';
import { hasUnsavedInput } from './unsaved-input.js';

const KEY = 'posts-admin.session';

/** A new tab waits this long for the session of another one before it shows the log-in. */
const ANSWER_MS = 250;

export type LoggedInAccount = NewSessionDto['account'];

/** The log-in of a tab. */
export interface TabSession {
  /** It never changes: the page and its unsaved text belong to this account. */
  readonly account: LoggedInAccount;
  /** Undefined when the session has ended under a page that stays: a dialog asks for a new log-in. */
  readonly token: string | undefined;
}

/** The messages between tabs. Only pages of this origin receive them. */
type Message =
  | { readonly kind: 'asked' }
  | { readonly kind: 'started'; readonly session: TabSession }
  | { readonly kind: 'ended'; readonly token: string };

/**
 * The session of the browser's tabs; undefined when logged out. Each tab keeps it in its sessionStorage, never in a cookie or
 * localStorage. A new tab gets it from another one, and a log-out ends it in all of them; a tab with unsaved input keeps
 * its page.
 */
export class Session extends Observable<TabSession | undefined> {
  readonly #tabs: BroadcastChannel;

  /** @param site the path of the site: services under other paths of the origin have their own sessions */
  constructor(
    private readonly storage: Storage,
    site: string,
  ) {
    super(stored(storage));
    this.#tabs = new BroadcastChannel(`${KEY} ${site}`);
    this.#tabs.addEventListener('message', ({ data }: MessageEvent<Message>) => this.#hear(data));
  }

  /** Asks the other tabs for their session. Resolves when there is one, or when none has answered. */
  async askTabs(): Promise<void> {
    if (this.get() !== undefined) return;
    this.#tell({ kind: 'asked' });
    await Promise.race([this.changed(), new Promise((resolve) => setTimeout(resolve, ANSWER_MS))]);
  }

  /**
   * Returns the token of an account; after the end of its session, waits for a new log-in.
   *
   * @param account the id of the account that asks: none gets the token of another one
   * @throws NotLoggedIn after a log-out, and after the log-in of another account
   */
  async tokenOf(account: number | undefined): Promise<string> {
    for (;;) {
      const current = this.get();
      if (current === undefined || current.account.id !== account) throw new NotLoggedIn();
      if (current.token !== undefined) return current.token;
      await this.changed();
    }
  }

  start({ account, token }: NewSessionDto): void {
    const session = { account, token };
    this.#keep(session);
    this.#tell({ kind: 'started', session });
  }

  /** Keeps what the service says about the account, for the next reload and for new tabs. */
  update(account: LoggedInAccount): void {
    const current = this.get();
    if (current?.account.id === account.id) this.#keep({ ...current, account });
  }

  /** The service has refused the token: the page stays, and asks for a new log-in. */
  expire(token: string): void {
    const current = this.get();
    if (current?.token === token) this.#keep({ ...current, token: undefined });
  }

  end(): void {
    const token = this.get()?.token;
    this.#keep(undefined);
    if (token !== undefined) this.#tell({ kind: 'ended', token });
  }

  #tell(message: Message): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel reaches only its own origin.
    this.#tabs.postMessage(message);
  }

  #hear(message: Message): void {
    const own = this.get();
    if (message.kind === 'asked') {
      if (own?.token !== undefined) this.#tell({ kind: 'started', session: own });
    } else if (message.kind === 'ended') {
      if (message.token !== own?.token) return;
      if (hasUnsavedInput()) this.expire(message.token);
      else this.#keep(undefined);
    } else if (!own || own.account.id === message.session.account.id) {
      if (own?.token !== message.session.token) this.#keep(message.session);
    }
  }

  #keep(session: TabSession | undefined): void {
    // After a reload, no unsaved text needs the account.
    if (session?.token === undefined) this.storage.removeItem(KEY);
    else this.storage.setItem(KEY, JSON.stringify(session));
    this.set(session);
  }
}

/** The session before a reload. Whether it has ended is for the service to say, because each use extends it. */
function stored(storage: Storage): TabSession | undefined {
  try {
    const value = JSON.parse(storage.getItem(KEY) ?? 'null') as TabSession | null;
    return typeof value?.token === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
