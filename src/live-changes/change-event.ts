import { ListedPostDto } from '../posts/dto/post.dto.js';
import type { ListField } from '../posts/lists/list-fields.js';
import { formatPubDate, formatTime } from '../posts/pub-date.js';
import type { ChangedPost } from '../posts/latest-changes.repository.js';

/** How soon a client comes back after its stream has ended. */
const RETRY_MS = 2_000;

/** An event of the streams (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export class ChangeEvent {
  /** Where a stream continues that breaks after it, in the stored form of dates. */
  readonly position: string;
  #last: { readonly key: string; readonly text: Buffer } | undefined;

  /** @param horizon nothing before it can still be committed */
  constructor(
    readonly changed: ChangedPost,
    horizon: string,
  ) {
    this.position = changed.at < horizon ? changed.at : horizon;
  }

  /** The event as it is sent. Streams with the same fields share it. */
  text(fields: readonly ListField[]): Buffer {
    const key = fields.join();
    if (this.#last?.key !== key) this.#last = { key, text: this.#textFor(fields) };
    return this.#last.text;
  }

  #textFor(fields: readonly ListField[]): Buffer {
    const { id, at, post } = this.changed;
    const [name, data] = post
      ? ['post', JSON.stringify(ListedPostDto.from(post), [...fields])]
      : ['deleted', JSON.stringify({ id, deleted_at: formatPubDate(at) })];
    // JSON has no line feed, so the data is one line.
    return Buffer.from(`event: ${name}\n${idLine(this.position)}data: ${data}\n\n`);
  }
}

export function startText(position: string): Buffer {
  return Buffer.from(`retry: ${RETRY_MS}\n${idLine(position)}\n`);
}

/** Only the position: a comment, which keeps proxies from ending the connection, and no event. */
export function idText(position: string): Buffer {
  return Buffer.from(`:\n${idLine(position)}\n`);
}

function idLine(position: string): string {
  return `id: ${formatTime(position)}\n`;
}
