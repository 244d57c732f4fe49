import type { Preconditions } from '../http/protocol/preconditions.js';
import { assertPreconditions } from '../http/response/document-response.js';
import type { Post } from './post.entity.js';
import { LastModified } from '../http/protocol/last-modified.js';
import type { ListedState } from './posts.service.js';
import { isMarked } from './writes/change-time.js';

/** The opaque part of a post's entity tag; it never names two contents, because ids and versions are never reused. */
export function postEntityTag({ id, version }: Pick<Post, 'id' | 'version'>): string {
  return `${id}-${version}`;
}

/** Holds a write's preconditions against the post as it is. @throws as {@link assertPreconditions} does */
export function assertMet(preconditions: Preconditions, post: Post): void {
  assertPreconditions(preconditions, postEntityTag(post), 'post', postLastModified(post));
}

/** On PostgreSQL no transaction but an import takes as long, from the time that it gives a change until others see it. */
const MAX_IN_FLIGHT_MS = 60_000;

/** When a post was last changed. */
export function postLastModified({ modified }: Pick<Post, 'modified'>): LastModified {
  return new LastModified({ atMs: Date.parse(modified), sharesSecond: isMarked(modified) });
}

/**
 * When any post was last changed or deleted. While others write what cannot be seen yet, it is the time from which on
 * there may be more: so a client that asks for what was changed from then on misses nothing.
 */
export function listLastModified({ state, askedAtMs }: ListedState): LastModified {
  const { modified, modifiedBefore, importingSince, hasWritesInFlight } = state;
  const importSinceMs = importingSince === '' ? Infinity : Date.parse(importingSince);
  const writesSinceMs = hasWritesInFlight ? askedAtMs - MAX_IN_FLIGHT_MS : Infinity;
  return new LastModified(
    {
      atMs: Date.parse(modified),
      sharesSecond: isMarked(modified) || isSameSecond(modified, modifiedBefore ?? ''),
      unseenSinceMs: Math.min(importSinceMs, writesSinceMs),
    },
    askedAtMs,
  );
}

function isSameSecond(a: string, b: string): boolean {
  return a.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length) === b.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length);
}
