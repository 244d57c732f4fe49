import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Client } from '../limits/index.js';
import { InTurn } from '../turns/index.js';
import { LOGGER } from '../logging/logger.js';
import { PostListeners } from '../posts/writes/post-changes.js';
import { ChangeFollower } from './change-follower.js';
import {
  type Change,
  type ChangedPost,
  type ChangePlace,
  LatestChangesRepository,
  PAGE_ROWS,
} from './latest-changes.repository.js';

/** How often the database is asked for the changes of other processes. Those of this one are read at once. */
const POLL_INTERVAL_MS = 500;
/** The pause between two readings, so that changes that follow each other are read together. With many followers it is longer. */
const MIN_PAUSE_MS = 50;
const PAUSE_PER_FOLLOWER_MS = 0.5;
/** How long the other followers wait for slow ones. */
const MAX_SLOW_MS = 200;
const SLOW_STEP_MS = 10;

/**
 * Follows the changes of posts. What has changed is read once for all followers. One that begins in the past, or is slow,
 * also reads by itself what it has missed.
 *
 * A position is a time before which nothing can still be committed (LatestChangesRepository.horizon). Followers get changes
 * as soon as they are committed, so those at or after the position are read again, and passed on if they are new.
 */
@Injectable()
export class LatestChanges {
  readonly #followers = new Set<ChangeFollower>();
  /** How many there are, with those that are about to follow. */
  #count = 0;
  /** One page is read at a time, so that what a follower gets is never older than what it got before. */
  readonly #pages = new InTurn();
  /** The followers have all changes before it, or will read them; empty while there are no followers. */
  #position = '';
  /** The changes at or after the position that they have. */
  readonly #known = new Map<number, Change>();
  #reading: Promise<unknown> = Promise.resolve();
  #nextReading: Promise<void> | undefined;
  #isRunning = false;
  #wake: () => void = () => undefined;

  constructor(
    private readonly changes: LatestChangesRepository,
    listeners: PostListeners,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    listeners.add({ onCommitted: () => this.#wake() });
  }

  get position(): string {
    return this.#position;
  }

  get followers(): ReadonlySet<ChangeFollower> {
    return this.#followers;
  }

  /**
   * Begins to follow, until {@link unfollow}.
   *
   * @param since where to begin, in the stored form of dates; by default now
   */
  async follow(client: Client, since?: string): Promise<ChangeFollower> {
    this.#count += 1;
    if (!this.#isRunning) void this.#run();
    try {
      // The follower does not get changes from before the call.
      await this.#read();
    } catch (error) {
      this.#count -= 1;
      throw error;
    }
    const follower = new ChangeFollower(client, this.#position, since);
    this.#followers.add(follower);
    return follower;
  }

  unfollow(follower: ChangeFollower): void {
    follower.end();
    if (this.#followers.delete(follower)) this.#count -= 1;
  }

  /** Reads for a follower a page of what it has missed. */
  readMissed(follower: ChangeFollower): Promise<void> {
    return this.#pages.run(async () => {
      const page = await this.changes.page(follower.missedAfter!);
      follower.missedAfter = page.length === PAGE_ROWS ? page.at(-1) : undefined;
      follower.add(page, this.#position);
    }, follower.client.name);
  }

  /** Reads what has changed, while there are followers. */
  async #run(): Promise<void> {
    this.#isRunning = true;
    let hasFailed = false;
    while (this.#count > 0) {
      const woken = new Promise<void>((resolve) => (this.#wake = resolve));
      try {
        await this.#read();
        hasFailed = false;
      } catch (err) {
        // The readiness of the service says that the database does not answer; the followers wait for it.
        if (!hasFailed) this.logger.warn({ err }, 'Live changes cannot be read; they will be, later.');
        hasFailed = true;
      }
      await sleep(MIN_PAUSE_MS + this.#count * PAUSE_PER_FOLLOWER_MS);
      await Promise.race([woken, sleep(POLL_INTERVAL_MS)]);
    }
    this.#position = '';
    this.#known.clear();
    this.#isRunning = false;
  }

  /** Calls share the next reading, which begins after them. */
  #read(): Promise<void> {
    this.#nextReading ??= this.#reading.then(() => {
      this.#nextReading = undefined;
      const reading = this.#readForAll();
      this.#reading = reading.catch(() => undefined);
      return reading;
    });
    return this.#nextReading;
  }

  async #readForAll(): Promise<void> {
    const horizon = await this.changes.horizon();
    let place: ChangePlace = { at: this.#position || horizon, id: 0 };
    for (let hasMore = true; hasMore;) {
      const after = place;
      const page = await this.#pages.run(() => this.#readPage(after, horizon));
      hasMore = page.length === PAGE_ROWS;
      place = page.at(-1) ?? place;
      if (hasMore) await this.#untilTaken();
    }
    for (const [id, { at }] of this.#known) if (at < horizon) this.#known.delete(id);
    this.#position = horizon;
  }

  /** Adds those changes of the next page that the followers do not have. */
  async #readPage(after: ChangePlace, horizon: string): Promise<readonly ChangedPost[]> {
    const page = await this.changes.page(after);
    const added = page.filter((change) => !isSame(this.#known.get(change.id), change));
    for (const follower of this.#followers) if (added.length > 0) follower.add(added, horizon);
    for (const { id, at, version } of added) if (at >= horizon) this.#known.set(id, { id, at, version });
    return page;
  }

  /** Waits a little for slow followers, which otherwise miss the next page. */
  async #untilTaken(): Promise<void> {
    const isAnySlow = (): boolean => [...this.#followers].some(({ isSlow }) => isSlow);
    for (let ms = 0; ms < MAX_SLOW_MS && isAnySlow(); ms += SLOW_STEP_MS) await sleep(SLOW_STEP_MS);
  }
}

/** A post that is deleted, restored and deleted again has another deletion. */
function isSame(a: Change | undefined, b: Change): boolean {
  return a?.version === b.version && (b.version > 0 || a.at === b.at);
}
