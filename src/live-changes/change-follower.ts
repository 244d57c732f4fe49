import type { Client } from '../limits/index.js';
import { type ChangedPost, type ChangePlace, PAGE_ROWS } from './latest-changes.repository.js';

const MAX_WAITING = 4 * PAGE_ROWS;

/** A change, and the position of its follower after it. */
export interface NextChange {
  readonly change: ChangedPost;
  readonly position: string;
}

/** Gets all changes, at its own speed. {@link LatestChanges} adds them. */
export class ChangeFollower {
  /** Where it continues if it is interrupted now: all earlier changes were taken. */
  position: string;
  /** Changes after it have yet to be read for this follower alone; undefined when it has them. */
  missedAfter: ChangePlace | undefined;
  isEnded = false;
  #waiting: NextChange[] = [];
  #wake: () => void = () => undefined;

  /**
   * @param position the current one
   * @param since where it begins, in the stored form of dates; by default at the position
   */
  constructor(
    readonly client: Client,
    position: string,
    private readonly since = '',
  ) {
    this.position = since || position;
    if (since !== '') this.missedAfter = { at: since, id: 0 };
    client.signal?.addEventListener('abort', () => this.end(), { once: true });
  }

  /** Whether one more page would be too much. */
  get isSlow(): boolean {
    return this.#waiting.length > MAX_WAITING - PAGE_ROWS;
  }

  /**
   * Adds changes. If too many wait, it forgets them, and has missed all since its position.
   *
   * @param horizon nothing before it can still be committed
   */
  add(changes: readonly ChangedPost[], horizon: string): void {
    if (this.#waiting.length + changes.length > MAX_WAITING) {
      this.#waiting = [];
      this.missedAfter = { at: this.position, id: 0 };
    } else {
      for (const change of changes) {
        const position = earliest(change.at, horizon, this.missedAfter?.at ?? horizon);
        if (change.at >= this.since) this.#waiting.push({ change, position });
      }
    }
    this.#wake();
  }

  take(): NextChange | undefined {
    return this.#waiting.shift();
  }

  /** Waits for a change. @returns false when the time is over */
  wait(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }

  end(): void {
    this.isEnded = true;
    this.#wake();
  }
}

function earliest(...times: readonly string[]): string {
  return times.reduce((one, other) => (one < other ? one : other));
}
