import type { NewSessionDto } from '../../sessions.controller.js';
import { Observable } from './observable.js';

const KEY = 'posts-admin.session';

/** A new tab waits this long for the session of another one before it shows the log-in. */
const ANSWER_MS = 250;

/** What tabs tell each other. Only pages of this origin hear it. */
type Message =
  | { readonly kind: 'asked' }
  | { readonly kind: 'started'; readonly session: NewSessionDto }
  | { readonly kind: 'ended'; readonly token: string };

/**
 * The session of the browser's tabs. Each tab keeps it in its sessionStorage, never in a cookie or localStorage. A new tab
 * gets it from another one, and a log-out ends it in all of them.
 */
export class Session extends Observable<Readonly<NewSessionDto> | undefined> {
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
    await new Promise<void>((resolve) => {
      this.subscribe(resolve);
      setTimeout(resolve, ANSWER_MS);
    });
  }

  start(session: NewSessionDto): void {
    this.#keep(session);
    this.#tell({ kind: 'started', session });
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
      if (own) this.#tell({ kind: 'started', session: own });
    } else if (message.kind === 'ended') {
      if (message.token === own?.token) this.#keep(undefined);
    } else if (!own || own.account.id === message.session.account.id) {
      // A tab never changes to another account: its unsaved text belongs to the first one.
      if (own?.token !== message.session.token) this.#keep(message.session);
    }
  }

  #keep(session: NewSessionDto | undefined): void {
    if (session) this.storage.setItem(KEY, JSON.stringify(session));
    else this.storage.removeItem(KEY);
    this.set(session);
  }
}

/** The session before a reload. Whether it has ended is for the service to say, because each use extends it. */
function stored(storage: Storage): NewSessionDto | undefined {
  try {
    const value = JSON.parse(storage.getItem(KEY) ?? 'null') as NewSessionDto | null;
    return typeof value?.token === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
