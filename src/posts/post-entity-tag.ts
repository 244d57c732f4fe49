import { isTagOf } from '../http/response/api-response.js';
import { malformedField, type Preconditions } from '../http/protocol/preconditions.js';
import { InvalidRequest, PreconditionFailed } from '../problem-details/problems.js';
import { postLastModified } from './last-modified.js';
import type { Post } from './post.entity.js';

/** The opaque part of a post's entity tag; it never names two contents, because ids and versions are never reused. */
export function postEntityTag({ id, version }: Pick<Post, 'id' | 'version'>): string {
  return `${id}-${version}`;
}

/**
 * Holds a write's preconditions against the post as it is; the tag of any of its representations and codings counts.
 *
 * @throws PreconditionFailed
 * @throws InvalidRequest when one of the header fields is malformed
 */
export function assertMet(preconditions: Preconditions, post: Post): void {
  const current = postEntityTag(post);
  const outcome = preconditions.evaluate((opaque) => isTagOf(current, opaque), postLastModified(post));
  if (outcome === 'met') return;
  if (outcome === 'failed')
    throw new PreconditionFailed('The post is not, or no longer, what the preconditions ask for.');
  const header = outcome === 'malformed-if-match' ? 'If-Match' : 'If-None-Match';
  throw new InvalidRequest([malformedField(header)]);
}
