import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { InFlightRequests } from '../http/index.js';
import { ClientQuota, type Reader, type Release } from '../limits/client-quota.js';
import { LOGGER } from '../logging/logger.js';
import { PostDeletionsService } from '../posts/deletions/post-deletions.service.js';
import type { ListField } from '../posts/lists/list-fields.js';
import { PostsStateRepository } from '../posts/posts-state.repository.js';
import { toPubDate } from '../posts/pub-date.js';
import { PostListeners } from '../posts/writes/post-changes.js';
import { TooBusy } from '../problem-details/index.js';
import { type Change, type ChangePlace, ChangesRepository, PAGE_ROWS } from './changes.repository.js';
import { EventStream, type EventText, eventText, idText, isSame } from './event-stream.js';

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
/** Ten seconds before a response is cut off. */
const MAX_STREAM_MS = 3_590_000;
const COMMENT_INTERVAL_MS = 10_000;
/** How often the database is asked for the changes of other processes. Those of this one are read at once. */
const POLL_INTERVAL_MS = 500;
/** The pause between two readings, so that changes that follow each other are sent together. With many streams it is longer. */
const MIN_PAUSE_MS = 50;
const PAUSE_PER_STREAM_MS = 0.5;
/** How long the other streams wait for those that read slowly. */
const MAX_SLOW_MS = 200;
const SLOW_STEP_MS = 10;
const MS_PER_DAY = 86_400_000;

/**
 * Sends changes to all streams. What has changed is read once for all of them; a stream that begins in the past, or whose
 * client reads slowly, first reads by itself what it has missed.
 *
 * A position is a time before which nothing can still be committed (PostsStateRepository.horizonMs). Changes are sent as
 * soon as they are committed, so those at or after the position are read again, and sent if they were not seen yet.
 */
@Injectable()
export class LiveChanges {
  readonly #places = new ClientQuota(MAX_STREAMS);
  readonly #largePosts = new ClientQuota(MAX_LARGE_POSTS, MAX_WAIT_MS);
  readonly #streams = new Set<EventStream>();
  /** All changes before it were sent to the live streams, */
  #position = '';
  /** and these after it. */
  readonly #seen = new Map<number, Change>();
  #isRunning = false;
  #hasFailed = false;
  #isStopping = false;
  #wake: () => void = () => undefined;

  constructor(
    private readonly changes: ChangesRepository,
    private readonly states: PostsStateRepository,
    private readonly deletions: PostDeletionsService,
    listeners: PostListeners,
    inFlightRequests: InFlightRequests,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    listeners.add({ onCommitted: () => this.#wake() });
    inFlightRequests.onStop(() => {
      this.#isStopping = true;
      for (const stream of this.#streams) stream.end();
    });
  }

  get count(): number {
    return this.#streams.size;
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
    reader: Reader,
  ): Promise<EventBody> {
    if (!this.#places.take(reader.client)) throw new TooBusy();
    const close = (): Promise<void> => Promise.resolve(this.#places.give(reader.client));
    try {
      if (since !== undefined) await this.deletions.assertKnownSince(since);
      const horizon = await this.#horizon();
      const position = since !== undefined && since < horizon ? since : horizon;
      const stream = new EventStream(reader, position, fields);
      // What was changed before a stream begins is not for it.
      const isEarlier = ({ at }: Change): boolean => since === undefined || at < since;
      if (position !== since)
        for await (const page of this.#pagesSince(position, reader))
          note(stream.known, page.filter(isEarlier));
      return { chunks: () => this.#run(stream), close };
    } catch (error) {
      await close();
      throw error;
    }
  }

  /**
   * The place before which nothing can still be committed: not after the last change, because the time of the next one is
   * that of the last one while the clock is behind it.
   */
  async #horizon(): Promise<string> {
    const horizonMs = await this.states.horizonMs();
    const { modified } = await this.states.readState();
    const horizon = toPubDate(horizonMs);
    // A position that is much older would expire.
    const earliest = toPubDate(horizonMs - MS_PER_DAY);
    if (modified >= horizon) return horizon;
    return modified > earliest ? modified : earliest;
  }

  async *#run(stream: EventStream): AsyncGenerator<Buffer> {
    this.#streams.add(stream);
    try {
      yield stream.start().bytes;
      while (!stream.isEnded && !this.#isStopping) {
        const text = stream.shift();
        if (text) yield text.bytes;
        else if (stream.state === 'behind') yield* this.#catchUp(stream);
        else await stream.wait();
      }
    } finally {
      stream.end();
      this.#streams.delete(stream);
      this.#wake();
    }
  }

  /** Reads what the stream has missed, at the speed of its client. */
  async *#catchUp(stream: EventStream): AsyncGenerator<Buffer> {
    const holdLarge = () => this.#largePosts.wait(stream.reader);
    for await (const { bytes, position } of this.#missedBy(stream, holdLarge)) {
      yield bytes;
      stream.position = position;
      if (stream.isEnded) return;
    }
    stream.state = 'ready';
    if (this.#isRunning) this.#wake();
    else void this.#readForAll();
  }

  /** The changes since the position of a stream that it does not know. */
  async *#missedBy(
    { position, reader, known, fields }: EventStream,
    holdLarge?: () => Promise<Release>,
  ): AsyncGenerator<EventText> {
    const horizon = await this.#horizon();
    for await (const page of this.#pagesSince(position, reader)) {
      const unknown = page.filter((change) => !isSame(known.get(change.id), change));
      for await (const changed of this.changes.withPosts(unknown, holdLarge))
        yield eventText(changed, fields, horizon);
      note(known, unknown);
    }
    forgetBefore(known, horizon);
    yield idText(horizon);
  }

  async *#pagesSince(position: string, reader?: Reader): AsyncGenerator<readonly Change[]> {
    for (let place: ChangePlace | undefined = { at: position, id: 0 }; place;) {
      const page = await this.changes.after(place, reader);
      yield page;
      place = page.length < PAGE_ROWS ? undefined : page.at(-1);
    }
  }

  /** Reads the changes for all streams, while there are streams. */
  async #readForAll(): Promise<void> {
    this.#isRunning = true;
    const timer = setInterval(() => this.#remind(), COMMENT_INTERVAL_MS).unref();
    while (this.#streams.size > 0 && !this.#isStopping) {
      const woken = new Promise<void>((resolve) => (this.#wake = resolve));
      await this.#read().catch((err: unknown) => this.#reportOnce(err));
      await sleep(MIN_PAUSE_MS + this.#streams.size * PAUSE_PER_STREAM_MS);
      await Promise.race([woken, sleep(POLL_INTERVAL_MS)]);
    }
    clearInterval(timer);
    this.#isRunning = false;
    this.#position = '';
    this.#seen.clear();
  }

  async #read(): Promise<void> {
    const streams = [...this.#streams];
    const live = streams.filter(({ state }) => state === 'live');
    const horizon = await this.#horizon();
    for await (const page of this.#pagesSince(this.#position === '' ? horizon : this.#position)) {
      const unseen = page.filter((change) => !isSame(this.#seen.get(change.id), change));
      if (live.length > 0) await this.#send(unseen, live, horizon);
      note(this.#seen, unseen);
    }
    this.#position = horizon;
    forgetBefore(this.#seen, horizon);
    // After all others were read, so that these streams miss nothing between.
    for (const stream of streams.filter(({ state }) => state === 'ready')) {
      for await (const text of this.#missedBy(stream)) stream.push(text);
      stream.becomeLive();
    }
    this.#hasFailed = false;
  }

  /** Sends changes to the live streams: each text is made once for all that ask for the same fields. */
  async #send(changes: readonly Change[], live: readonly EventStream[], horizon: string): Promise<void> {
    const byFields = new Map<string, EventStream[]>();
    for (const stream of live) {
      const key = stream.fields.join();
      byFields.set(key, [...(byFields.get(key) ?? []), stream]);
    }
    for await (const changed of this.changes.withPosts(changes)) {
      for (const streams of byFields.values()) {
        const text = eventText(changed, streams[0]!.fields, horizon);
        for (const stream of streams) stream.push(text);
      }
      for (let waited = 0; waited < MAX_SLOW_MS && live.some(({ isSlow }) => isSlow); waited += SLOW_STEP_MS)
        await sleep(SLOW_STEP_MS);
    }
  }

  /** Shows clients and proxies that the streams are open, and where they are. Ends those that have had their time. */
  #remind(): void {
    for (const stream of this.#streams) {
      if (performance.now() - stream.openedAt > MAX_STREAM_MS) stream.end();
      else if (stream.state === 'live' && stream.isIdle) stream.push(idText(this.#position));
    }
  }

  /** The readiness of the service says that the database does not answer; the streams wait for it. */
  #reportOnce(err: unknown): void {
    if (!this.#hasFailed) this.logger.warn({ err }, 'Live changes cannot be read; they will be, later.');
    this.#hasFailed = true;
  }
}

function note(known: Map<number, Change>, changes: readonly Change[]): void {
  for (const change of changes) known.set(change.id, change);
}

function forgetBefore(known: Map<number, Change>, horizon: string): void {
  for (const [id, { at }] of known) if (at < horizon) known.delete(id);
}
