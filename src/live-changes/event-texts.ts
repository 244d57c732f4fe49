import { ListedPostDto } from '../posts/dto/post.dto.js';
import type { ChangedPost } from './latest-changes.repository.js';
import type { ListField } from '../posts/lists/list-fields.js';
import { formatPubDate, formatTime } from '../posts/pub-date.js';

/*
 * The texts of a stream (https://html.spec.whatwg.org/multipage/server-sent-events.html). The `id:` is its position.
 */

/** How soon a client comes back after its stream has ended. */
const RETRY_MS = 2_000;

/** The last text of a change. Streams with the same fields share it. */
const lastTexts = new WeakMap<ChangedPost, { readonly key: string; readonly text: Buffer }>();

export function eventText(change: ChangedPost, position: string, fields: readonly ListField[]): Buffer {
  const key = [position, ...fields].join();
  const last = lastTexts.get(change);
  if (last?.key === key) return last.text;
  const name = change.post ? 'post' : 'deleted';
  // JSON has no line feed, so the data is one line.
  const text = Buffer.from(`event: ${name}\n${idLine(position)}data: ${dataOf(change, fields)}\n\n`);
  lastTexts.set(change, { key, text });
  return text;
}

function dataOf({ id, at, post }: ChangedPost, fields: readonly ListField[]): string {
  if (post) return JSON.stringify(ListedPostDto.from(post), [...fields]);
  return JSON.stringify({ id, deleted_at: formatPubDate(at) });
}

export function startText(position: string): Buffer {
  return Buffer.from(`retry: ${RETRY_MS}\n${idLine(position)}\n`);
}

/** A comment, which shows clients and proxies that the stream is open, and the position. It is no event. */
export function commentText(position: string): Buffer {
  return Buffer.from(`:\n${idLine(position)}\n`);
}

function idLine(position: string): string {
  return `id: ${formatTime(position)}\n`;
}
