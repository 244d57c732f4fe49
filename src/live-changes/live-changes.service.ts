import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { InFlightRequests } from '../http/index.js';
import { ClientQuota, type Client } from '../limits/client-quota.js';
import { LOGGER } from '../logging/logger.js';
import { PostDeletionsService } from '../posts/deletions/post-deletions.service.js';
import { type Change, LatestChangesRepository, PAGE_ROWS } from '../posts/latest-changes.repository.js';
import { type ListField, shownFields } from '../posts/lists/list-fields.js';
import { PostListeners } from '../posts/writes/post-changes.js';
import { TooBusy } from '../problem-details/index.js';
import { ChangeEvent, idText, startText } from './change-event.js';
import { EventStream } from './event-stream.js';

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
const MAX_LOG_EVENTS = 2 * PAGE_ROWS;
/** How long the other streams wait for those that read slowly. */
const MAX_SLOW_MS = 200;
const SLOW_STEP_MS = 10;

/**
 * Sends changes to all streams. What has changed is read once for all of them, into a log of the latest events, which each
 * stream reads at the speed of its client. A stream that begins in the past, or is so slow that the log no longer has its
 * next event, reads the changes since its position from the database.
 *
 * A position is a time before which nothing can still be committed (LatestChangesRepository.horizon). Changes are sent as
 * soon as they are committed, so those at or after the position are read again, and sent if they were not seen yet.
 */
@Injectable()
export class LiveChanges {
  readonly #places = new ClientQuota(MAX_STREAMS);
  readonly #largePosts = new ClientQuota(MAX_LARGE_POSTS, MAX_WAIT_MS);
  readonly #streams = new Set<EventStream>();
  readonly #log: ChangeEvent[] = [];
  /** The number of the next event of the log. */
  #end = 0;
  /** The log had all changes before it; empty while there are no streams. */
  #position = '';
  /** The log had these changes at or after the position, too. */
  readonly #seen = new Map<number, Change>();
  #reading: Promise<unknown> = Promise.resolve();
  #nextReading: Promise<void> | undefined;
  #isRunning = false;
  #hasFailed = false;
  #wake: () => void = () => undefined;

  constructor(
    private readonly changes: LatestChangesRepository,
    private readonly deletions: PostDeletionsService,
    listeners: PostListeners,
    inFlightRequests: InFlightRequests,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    listeners.add({ onCommitted: () => this.#wake() });
    inFlightRequests.onStop(() => {
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
    client: Client,
  ): Promise<EventBody> {
    if (!this.#places.take(client.name)) throw new TooBusy();
    const stream = new EventStream(client, shownFields(fields), since);
    this.#streams.add(stream);
    const close = (): Promise<void> => Promise.resolve(this.#close(stream));
    try {
      if (since !== undefined) await this.deletions.assertKnownSince(since);
      // What was changed before a stream begins is not for it.
      await this.#readAgain();
      if (since === undefined) stream.next = this.#end;
      stream.position = since !== undefined && since < this.#position ? since : this.#position;
      if (!this.#isRunning) void this.#readForAll();
      return { chunks: () => this.#run(stream), close };
    } catch (error) {
      await close();
      throw error;
    }
  }

  #close(stream: EventStream): void {
    stream.end();
    this.#streams.delete(stream);
    this.#places.give(stream.client.name);
    if (this.#streams.size === 0) this.#position = '';
  }

  async *#run(stream: EventStream): AsyncGenerator<Buffer> {
    const endsAt = performance.now() + MAX_STREAM_MS;
    yield startText(stream.position);
    while (!stream.isEnded && performance.now() < endsAt) {
      if (stream.next < this.#end) {
        const event = this.#log.at(stream.next - this.#end);
        yield* event ? this.#send(stream, event) : this.#catchUp(stream);
        if (event) stream.next += 1;
      } else {
        stream.sent.clear();
        const isWoken = await stream.wait(COMMENT_INTERVAL_MS);
        // Shows clients and proxies that the stream is open, and where it is.
        if (!isWoken && stream.next === this.#end) yield idText(this.#position);
      }
    }
  }

  /** Sends what the stream has missed, from the database. */
  async *#catchUp(stream: EventStream): AsyncGenerator<Buffer> {
    const end = this.#end;
    // What the log gets from now on is of this position or later.
    const position = this.#position;
    const horizon = await this.changes.horizon();
    for await (const page of this.changes.since(stream.position)) {
      for (const changed of await this.changes.withSmallPosts(page))
        yield* this.#send(stream, new ChangeEvent(changed, horizon));
      if (stream.isEnded) return;
      note(stream.sent, page, position);
    }
    stream.position = horizon;
    yield idText(horizon);
    // What the log gets after this reading is not older than what was sent.
    await this.#readAgain();
    stream.next = end;
  }

  async *#send(stream: EventStream, event: ChangeEvent): AsyncGenerator<Buffer> {
    const { id, at, version, post } = event.changed;
    const before = stream.sent.get(id);
    if (stream.isEnded || at < (before?.at ?? stream.since) || isSame(before, event.changed)) return;
    // The log may have more of its changes.
    if (before) stream.sent.set(id, event.changed);
    if (post || version === 0) yield event.text(stream.fields);
    else {
      const release = await this.#largePosts.wait(stream.client);
      try {
        const large = await this.changes.find(id);
        // The deletion of a post that was deleted meanwhile is a later change.
        if (large)
          yield new ChangeEvent({ id, at, version, post: large }, event.position).text(stream.fields);
      } finally {
        release();
      }
    }
    stream.position = event.position;
  }

  /** Reads what has changed into the log, while there are streams. */
  async #readForAll(): Promise<void> {
    this.#isRunning = true;
    while (this.#streams.size > 0) {
      const woken = new Promise<void>((resolve) => (this.#wake = resolve));
      await this.#readAgain().then(
        () => (this.#hasFailed = false),
        (err: unknown) => this.#reportOnce(err),
      );
      await sleep(MIN_PAUSE_MS + this.#streams.size * PAUSE_PER_STREAM_MS);
      await Promise.race([woken, sleep(POLL_INTERVAL_MS)]);
    }
    this.#isRunning = false;
  }

  /** Calls share the next reading, which begins after them. */
  #readAgain(): Promise<void> {
    this.#nextReading ??= this.#reading.then(() => {
      this.#nextReading = undefined;
      const reading = this.#read();
      this.#reading = reading.catch(() => undefined);
      return reading;
    });
    return this.#nextReading;
  }

  async #read(): Promise<void> {
    const horizon = await this.changes.horizon();
    for await (const page of this.changes.since(this.#position || horizon)) {
      const unseen = page.filter((change) => !isSame(this.#seen.get(change.id), change));
      for (const changed of await this.changes.withSmallPosts(unseen))
        this.#append(new ChangeEvent(changed, horizon));
      note(this.#seen, unseen, horizon);
      if (unseen.length > 0) await this.#untilTaken();
    }
    for (const [id, { at }] of this.#seen) if (at < horizon) this.#seen.delete(id);
    if (this.#streams.size > 0) this.#position = horizon;
  }

  #append(event: ChangeEvent): void {
    this.#log.push(event);
    this.#end += 1;
    if (this.#log.length > MAX_LOG_EVENTS) this.#log.shift();
  }

  /** Wakes the streams, and waits a little for those that would have to catch up after the next page. */
  async #untilTaken(): Promise<void> {
    for (const stream of this.#streams) stream.wake();
    const isLate = ({ next }: EventStream): boolean =>
      next >= this.#end - this.#log.length && next < this.#end - PAGE_ROWS;
    for (let ms = 0; ms < MAX_SLOW_MS && [...this.#streams].some(isLate); ms += SLOW_STEP_MS)
      await sleep(SLOW_STEP_MS);
  }

  /** The readiness of the service says that the database does not answer; the streams wait for it. */
  #reportOnce(err: unknown): void {
    if (!this.#hasFailed) this.logger.warn({ err }, 'Live changes cannot be read; they will be, later.');
    this.#hasFailed = true;
  }
}

/** Notes those changes that may be read again by a reading that begins at the position. */
function note(known: Map<number, Change>, changes: readonly Change[], position: string): void {
  for (const change of changes) if (change.at >= position) known.set(change.id, change);
}

function isSame(a: Change | undefined, b: Change): boolean {
  return a?.version === b.version && (b.version > 0 || a.at === b.at);
}
