import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { NewPost } from '../posts/post.entity.js';
import { OLD, PostRevision } from './post-revision.entity.js';

/**
 * SQL conditions on rows of the history, named by their aliases. Those with `number > 1` or `number = 1` repeat the
 * condition of a partial index, so that the databases use it.
 */

/** Whether the row `change` is one of the few that are not about the creation or the change of a post. */
export const RARE_ACTION = `change.action NOT IN ('created', 'changed')`;

/**
 * Whether a change of a post follows another row of the same post.
 *
 * @param postId of the post, where the earlier row may be the creation of several posts
 */
export function isLater(later: string, earlier: string, postId = `${earlier}.postId`): string {
  return `${later}.postId = ${postId} AND ${later}.number > 1 AND ${later}.number > ${earlier}.number`;
}

/** Whether no change of the post follows the row. */
export function isLast(query: SelectQueryBuilder<ObjectLiteral>, row: string): string {
  const later = query.subQuery().select('1').from(PostRevision, 'later').where(isLater('later', row));
  return `NOT EXISTS ${later.getQuery()}`;
}

/** Joins the next change of the same post as `later`. Its old values are the content after the row. */
export function joinLater<Row extends ObjectLiteral>(
  query: SelectQueryBuilder<Row>,
  row: string,
  postId?: string,
): SelectQueryBuilder<Row> {
  const next = query
    .subQuery()
    .select('next.id')
    .from(PostRevision, 'next')
    .where(isLater('next', row, postId))
    .orderBy('next.number')
    .limit(1);
  return query.leftJoin(PostRevision, 'later', `later.id = ${next.getQuery()}`);
}

/**
 * The content of a post after a change: the old content in the next change, or the post itself; for a deletion, the
 * deleted content. The query joins `later` and `post`.
 */
export function contentAfter(row: string, property: keyof NewPost): string {
  const old = OLD[property];
  return (
    `CASE WHEN ${row}.action = 'deleted' THEN ${row}.${old} ` +
    `WHEN later.id IS NOT NULL THEN later.${old} ELSE post.${property} END`
  );
}

/**
 * Whether the row records the creation of the post. Several rows can; the one with the highest `postId` is the post's
 * own: on PostgreSQL, the range of an import may include posts that were created meanwhile.
 */
export function isCreationOf(row: string, postId: string): string {
  return `${row}.number = 1 AND ${row}.postId <= ${postId} AND ${row}.lastPostId >= ${postId}`;
}
