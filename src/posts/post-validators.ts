import { lastModifiedUpTo } from '../http/protocol/index.js';
import type { Preconditions } from '../problem-details/index.js';
import type { Post } from './post.entity.js';
import type { PostsState } from './posts-state.repository.js';

/**
 * The opaque part of a post's entity tag. It never identifies two contents, because ids and versions are never reused.
 */
export function postEntityTag({ id, version }: Pick<Post, 'id' | 'version'>): string {
  return `${id}-${version}`;
}

/** Checks a write's preconditions against the current post. @throws as {@link Preconditions.assertMet} does */
export function assertMet(preconditions: Preconditions, post: Post): void {
  if (!preconditions.areNone) preconditions.assertMet(postEntityTag(post), { changedAt: post.modified });
}

/**
 * The time of the last change or deletion of any post. It is earlier than the time from which changes may be missing in
 * the list, so a client that asks for the changes since then misses none.
 */
export function listLastModified({ modified, horizonMs }: PostsState): ReturnType<typeof lastModifiedUpTo> {
  return lastModifiedUpTo(horizonMs - 1_000, modified);
}
