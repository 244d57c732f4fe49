import type { Client } from '../limits/client-quota.js';
import type { ListField } from '../posts/lists/list-fields.js';
import type { Change } from '../posts/latest-changes.repository.js';

/** A client that listens to changes. */
export class EventStream {
  /** All earlier changes are known to the client. */
  position = '';
  /** The number of the next event that it takes from the log. -1 is not in the log. */
  next = -1;
  /** The changes that it has got from the database, some of which the log may still have. */
  readonly sent = new Map<number, Change>();
  isEnded = false;
  wake: () => void = () => undefined;

  /** @param since earlier changes are not sent */
  constructor(
    readonly client: Client,
    readonly fields: readonly ListField[],
    readonly since = '',
  ) {
    client.signal?.addEventListener('abort', () => this.end(), { once: true });
  }

  /** Waits until it is woken. @returns false when the time is over */
  wait(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }

  end(): void {
    this.isEnded = true;
    this.wake();
  }
}
