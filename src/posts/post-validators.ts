import { LastModified } from '../http/protocol/last-modified.js';
import type { Preconditions } from '../http/protocol/preconditions.js';
import type { Post } from './post.entity.js';
import type { ListedState } from './lists/post-lists.service.js';
import { isMarked } from './writes/change-time.js';

/**
 * The opaque part of a post's entity tag. It never identifies two contents, because ids and versions are never reused.
 */
export function postEntityTag({ id, version }: Pick<Post, 'id' | 'version'>): string {
  return `${id}-${version}`;
}

/** Checks a write's preconditions against the current post. @throws as {@link Preconditions.assertMet} does */
export function assertMet(preconditions: Preconditions, post: Post): void {
  const detail = 'The current version of the post does not meet the preconditions.';
  preconditions.assertMet(postEntityTag(post), postLastModified(post), detail);
}

/** On PostgreSQL, the time of a change is at most this long before its commit, except in an import. */
const MAX_IN_FLIGHT_MS = 60_000;

/** The time of the last change of a post. */
export function postLastModified({ modified }: Pick<Post, 'modified'>): LastModified {
  return new LastModified({ atMs: Date.parse(modified), sharesSecond: isMarked(modified) });
}

/**
 * The time of the last change or deletion of any post. While other transactions have uncommitted changes, it is the
 * time from which such changes may date. A client that requests the changes since then misses none.
 */
export function listLastModified({ state, askedAtMs }: ListedState): LastModified {
  const { modified, modifiedBefore, importingSince, hasWritesInFlight, readAt } = state;
  // Changes have the times of the database, whose clock may be behind that of this instance.
  const nowMs = Math.min(askedAtMs, Date.parse(readAt));
  const importSinceMs = importingSince === '' ? Infinity : Date.parse(importingSince);
  const writesSinceMs = hasWritesInFlight ? nowMs - MAX_IN_FLIGHT_MS : Infinity;
  return new LastModified(
    {
      atMs: Date.parse(modified),
      sharesSecond: isMarked(modified) || isSameSecond(modified, modifiedBefore ?? ''),
      unseenSinceMs: Math.min(importSinceMs, writesSinceMs),
    },
    nowMs,
  );
}

function isSameSecond(a: string, b: string): boolean {
  return a.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length) === b.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length);
}
