/** Sooner nobody forgets that somebody has guessed. */
const REMEMBERED_MS = 15 * 60_000;

interface Tries {
  count: number;
  /** When the next try is possible, and when these are forgotten. */
  nextAt: number;
  endsAt: number;
}

export interface DelayRules {
  /** So many tries are free; after that, the first wait is a second, and each is twice as long as the one before. */
  readonly freeTries: number;
  readonly maxDelayMs: number;
  /** How many keys are told apart at a time. */
  readonly maxKeys: number;
}

/** Lets who tries again and again wait longer and longer. Times never go back, and are in milliseconds. */
export class GrowingDelay {
  /** In the order in which they were last tried. */
  readonly #tries = new Map<string, Tries>();

  constructor(private readonly rules: DelayRules) {}

  /** How long it is until the key may try again; 0 when it may now. */
  waitMs(key: string, now: number): number {
    const tries = this.#tries.get(key);
    return tries ? Math.max(0, tries.nextAt - now) : 0;
  }

  /** Counts a try, before it is known how it ends: of many at once each must find the others counted. */
  count(key: string, now: number): void {
    const before = this.#tries.get(key);
    const count = before && before.endsAt > now ? before.count + 1 : 1;
    const nextAt = now + this.#delayAfter(count);
    this.#tries.delete(key);
    this.#forgetSome(now);
    this.#tries.set(key, { count, nextAt, endsAt: nextAt + REMEMBERED_MS });
  }

  /** Lets the wait begin now: a try has failed, and checking it may have taken longer than the wait. */
  restart(key: string, now: number): void {
    const tries = this.#tries.get(key);
    if (!tries) return;
    tries.nextAt = now + this.#delayAfter(tries.count);
    tries.endsAt = tries.nextAt + REMEMBERED_MS;
  }

  /** Takes a try back that was no guess. */
  takeBack(key: string): void {
    const tries = this.#tries.get(key);
    if (!tries) return;
    tries.count -= 1;
    tries.nextAt = 0;
    if (tries.count === 0) this.#tries.delete(key);
  }

  forget(key: string): void {
    this.#tries.delete(key);
  }

  #delayAfter(count: number): number {
    const { freeTries, maxDelayMs } = this.rules;
    return count < freeTries ? 0 : Math.min(maxDelayMs, 1_000 * 2 ** (count - freeTries));
  }

  /**
   * Makes room for a key. So many keys at once are an attack: the one with the fewest tries is forgotten, the oldest of
   * them first, so that new keys, which cost the attacker a try each, do not end the wait of another.
   */
  #forgetSome(now: number): void {
    if (this.#tries.size < this.rules.maxKeys) return;
    let fewest: { key: string; count: number } | undefined;
    for (const [key, { count, endsAt }] of this.#tries) {
      if (endsAt <= now) this.#tries.delete(key);
      else if (fewest === undefined || count < fewest.count) fewest = { key, count };
    }
    if (fewest && this.#tries.size >= this.rules.maxKeys) this.#tries.delete(fewest.key);
  }
}
