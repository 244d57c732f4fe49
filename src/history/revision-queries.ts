import type { EntityManager, ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { selectProperties, walked } from '../database/index.js';
import { type KeysetPage, type KeysetRequest, type KeysetWalk, readKeysetPage } from '../paging/index.js';
import { type NewPost, Post } from '../posts/post.entity.js';
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
function isLater(later: string, earlier: string, postId = `${earlier}.postId`): string {
  return `${later}.postId = ${postId} AND ${later}.number > 1 AND ${later}.number > ${earlier}.number`;
}

/** Whether no change of the post follows the row. */
export function isLast(query: SelectQueryBuilder<ObjectLiteral>, row: string): string {
  const later = query.subQuery().select('1').from(PostRevision, 'later').where(isLater('later', row));
  return `NOT EXISTS ${later.getQuery()}`;
}

/**
 * Selects rows of the history as `change`, with the next change of the same post as `later`, and the post as `post`: one
 * of them has the content after the row.
 *
 * @param postId of the post, where the rows may be the creation of several posts
 */
export function changesWithContent(
  manager: EntityManager,
  properties?: readonly (keyof PostRevision)[],
  postId = 'change.postId',
): SelectQueryBuilder<PostRevision> {
  const query = selectProperties(manager, PostRevision, 'change', properties);
  const next = query
    .subQuery()
    .select('next.id')
    .from(PostRevision, 'next')
    .where(isLater('next', 'change', postId))
    .orderBy('next.number')
    .limit(1);
  return query
    .leftJoin(PostRevision, 'later', `later.id = ${next.getQuery()}`)
    .leftJoin(Post, 'post', `post.id = ${postId}`);
}

/**
 * The content of a post after a change: the old content in the next change, or the post itself; for a deletion, the
 * deleted content. For {@link changesWithContent}.
 */
export function contentAfter(property: keyof NewPost): string {
  const old = OLD[property];
  return (
    `CASE WHEN change.action = 'deleted' THEN change.${old} ` +
    `WHEN later.id IS NOT NULL THEN later.${old} ELSE post.${property} END`
  );
}

/** Whether the row `change` is a change of the post `:postId`, or its creation. */
export function isOfPost(manager: EntityManager): string {
  const changes = manager
    .createQueryBuilder(PostRevision, 'own')
    .select('own.id')
    .where('own.postId = :postId AND own.number > 1');
  // Several rows can record its creation. The one with the highest `postId` is its own: in version 1.1 on PostgreSQL,
  // the range of an import may include posts that were created meanwhile.
  const creation = manager
    .createQueryBuilder(PostRevision, 'made')
    .select('made.id')
    .where('made.number = 1 AND made.postId <= :postId AND made.lastPostId >= :postId')
    .orderBy('made.postId', 'DESC')
    .limit(1);
  return `change.id IN (${changes.getQuery()} UNION ALL SELECT * FROM (${creation.getQuery()}) AS creation)`;
}

/** A page of the rows `change`, newest first. */
export function pageById<Row>(
  request: KeysetRequest,
  select: () => SelectQueryBuilder<ObjectLiteral>,
): Promise<KeysetPage<Row>> {
  const read = (walk: KeysetWalk): Promise<(Row & { readonly id: number })[]> =>
    walked(select(), ['change.id'], walk).getRawMany();
  return readKeysetPage(request, read, ({ id }) => [id]);
}
