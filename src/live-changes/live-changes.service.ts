import { Injectable } from '@nestjs/common';
import { randomInt } from 'node:crypto';
import { type Client, ClientQuota } from '../limits/index.js';
import { PostDeletionsService } from '../posts/deletions/post-deletions.service.js';
import type { ChangeFollower, NextChange } from './change-follower.js';
import { LatestChangesRepository } from './latest-changes.repository.js';
import { LatestChanges } from './latest-changes.service.js';
import { type ListField, shownFields } from '../posts/lists/list-fields.js';
import { commentText, eventText, startText } from './event-texts.js';

/** A stream of events. It must be closed. */
export interface EventBody {
  chunks(): AsyncIterable<Buffer>;
  close(): Promise<void>;
}

/** The streams of an instance; one client has at most a quarter of them. */
const MAX_STREAMS = 1_024;
/** Streams that read a large post at the same time. Others wait for as long as a client may not read. */
const MAX_LARGE_POSTS = 8;
const MAX_WAIT_MS = 60_000;
/** Twenty seconds before a response is cut off: a quiet stream ends after its next comment. */
const MAX_STREAM_MS = 3_580_000;
/**
 * Comments are most of what quiet streams cost, and at least one in 15 s is promised. A thousand streams at random times wake
 * the process for each; all at once they hold up other requests. So a stream has its comment at one of some common times.
 */
const MIN_COMMENT_INTERVAL_MS = 13_000;
const MAX_COMMENT_INTERVAL_MS = 14_500;
const COMMENT_TICK_MS = 250;

/** The streams of changes of an instance. */
@Injectable()
export class LiveChanges {
  readonly #places = new ClientQuota(MAX_STREAMS);
  readonly #largePosts = new ClientQuota(MAX_LARGE_POSTS, MAX_WAIT_MS);

  constructor(
    private readonly latest: LatestChanges,
    private readonly changes: LatestChangesRepository,
    private readonly deletions: PostDeletionsService,
  ) {}

  /** Ends all streams, which do not end by themselves. */
  end(): void {
    for (const follower of this.latest.followers) follower.end();
  }

  get count(): number {
    return this.#places.held;
  }

  /**
   * Opens a stream of events, which must be closed.
   *
   * @param since where the stream begins, in the stored form of dates; by default now
   * @param fields of the posts; by default all
   * @throws DeletionsExpired when deletions since then may have been forgotten
   * @throws TooBusy when the client, or all of them, have too many streams
   */
  async open(
    since: string | undefined,
    fields: readonly ListField[] | undefined,
    client: Client,
  ): Promise<EventBody> {
    this.#places.takeNow(client.name);
    try {
      if (since !== undefined) await this.deletions.assertKnownSince(since, client);
      const follower = await this.latest.follow(client, since);
      const close = async (): Promise<void> => {
        this.latest.unfollow(follower);
        this.#places.give(client.name);
      };
      return { chunks: () => this.#chunks(follower, shownFields(fields)), close };
    } catch (error) {
      this.#places.give(client.name);
      throw error;
    }
  }

  async *#chunks(follower: ChangeFollower, fields: readonly ListField[]): AsyncGenerator<Buffer> {
    const endsAt = performance.now() + MAX_STREAM_MS;
    yield startText(follower.position);
    while (!follower.isEnded && performance.now() < endsAt) {
      const next = follower.take();
      if (next) {
        yield* this.#event(next, fields, follower.client);
        follower.position = next.position;
      } else if (follower.missedAfter) {
        await this.latest.readMissed(follower);
      } else if (!(await follower.wait(commentInterval()))) {
        // It has taken all changes before the position.
        follower.position = this.latest.position;
        yield commentText(follower.position);
      }
    }
  }

  async *#event(
    { change, position }: NextChange,
    fields: readonly ListField[],
    client: Client,
  ): AsyncGenerator<Buffer> {
    const isLarge = change.version > 0 && !change.post;
    if (!isLarge) {
      yield eventText(change, position, fields);
      return;
    }
    const release = await this.#largePosts.wait(client);
    try {
      const post = await this.changes.find(change.id);
      // A later version has an event of its own.
      if (post?.version === change.version) yield eventText({ ...change, post }, position, fields);
    } finally {
      release();
    }
  }
}

/** The time until a random one of the common times. */
function commentInterval(): number {
  const now = performance.now();
  const at = now + randomInt(MIN_COMMENT_INTERVAL_MS, MAX_COMMENT_INTERVAL_MS - COMMENT_TICK_MS);
  return Math.ceil(at / COMMENT_TICK_MS) * COMMENT_TICK_MS - now;
}
