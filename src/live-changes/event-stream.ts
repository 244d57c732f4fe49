import type { Reader } from '../limits/client-quota.js';
import { ListedPostDto } from '../posts/dto/post.dto.js';
import { type ListField, shownFields } from '../posts/lists/list-fields.js';
import { formatPubDate, formatTime } from '../posts/pub-date.js';
import type { Change, ChangedPost } from './changes.repository.js';

/** Events as they are sent (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export interface EventText {
  readonly bytes: Buffer;
  /** Where a stream continues that breaks after it, in the stored form of dates. */
  readonly position: string;
}

/** How soon a client comes back after its stream has ended. */
const RETRY_MS = 2_000;
/** A stream that has more than this to read is no longer sent new changes: it reads them when it has read the others. */
const MAX_QUEUED_BYTES = 262_144;

/** A client that listens to changes. */
export class EventStream {
  readonly fields: readonly ListField[];
  readonly openedAt = performance.now();
  /**
   * `behind`: it reads the changes since its position by itself, at the speed of its client. `ready`: it has read all of
   * them. `live`: it gets the changes that are read for all streams.
   */
  state: 'behind' | 'ready' | 'live' = 'behind';
  isEnded = false;
  /** Changes at or after the position that the client has, or that are older than the stream. */
  readonly known = new Map<number, Change>();
  #queue: EventText[] = [];
  #queuedBytes = 0;
  #wake: () => void = () => undefined;

  /** @param position all earlier changes are known to the client */
  constructor(
    readonly reader: Reader,
    public position: string,
    fields: readonly ListField[] | undefined,
  ) {
    this.fields = shownFields(fields);
    reader.signal.addEventListener('abort', () => this.end(), { once: true });
  }

  get isIdle(): boolean {
    return this.#queue.length === 0;
  }

  /** Whether it would soon fall behind. */
  get isSlow(): boolean {
    return this.#queuedBytes > MAX_QUEUED_BYTES / 2;
  }

  start(): EventText {
    return { ...idText(this.position), bytes: Buffer.from(`retry: ${RETRY_MS}\n${idLine(this.position)}\n`) };
  }

  /** Sends events when the client has read those before them. */
  push(text: EventText): void {
    if (this.state === 'behind') return;
    this.#queue.push(text);
    this.#queuedBytes += text.bytes.length;
    if (this.#queuedBytes > MAX_QUEUED_BYTES) this.#fallBehind();
    this.#wake();
  }

  /** What is in the queue is not sent: it is among the changes since the position. */
  #fallBehind(): void {
    this.state = 'behind';
    this.#queue = [];
    this.#queuedBytes = 0;
    this.known.clear();
  }

  /** Call it when all changes before those that are read for all streams are in the queue. */
  becomeLive(): void {
    if (this.state !== 'ready') return;
    this.state = 'live';
    this.known.clear();
  }

  /** The next events of the queue; undefined when there are none. */
  shift(): EventText | undefined {
    const text = this.#queue.shift();
    if (!text) return undefined;
    this.#queuedBytes -= text.bytes.length;
    this.position = text.position;
    return text;
  }

  /** Resolves when there is something to do. */
  wait(): Promise<void> {
    if (this.isEnded || !this.isIdle || this.state === 'behind') return Promise.resolve();
    return new Promise((resolve) => (this.#wake = resolve));
  }

  end(): void {
    this.isEnded = true;
    this.#wake();
  }
}

export function isSame(a: Change | undefined, b: Change): boolean {
  return a?.version === b.version && (b.version > 0 || a.at === b.at);
}

/** @param horizon nothing before it can still be committed */
export function eventText(
  { id, at, post }: ChangedPost,
  fields: readonly ListField[],
  horizon: string,
): EventText {
  const position = at < horizon ? at : horizon;
  const [name, data] = post
    ? ['post', JSON.stringify(ListedPostDto.from(post), [...fields])]
    : ['deleted', JSON.stringify({ id, deleted_at: formatPubDate(at) })];
  // JSON has no line feed, so the data is one line.
  return { bytes: Buffer.from(`event: ${name}\n${idLine(position)}data: ${data}\n\n`), position };
}

/** Only the position: a comment, which keeps proxies from ending the connection, and no event. */
export function idText(position: string): EventText {
  return { bytes: Buffer.from(`:\n${idLine(position)}\n`), position };
}

function idLine(position: string): string {
  return `id: ${formatTime(position)}\n`;
}
