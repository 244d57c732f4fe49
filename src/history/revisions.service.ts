import { Injectable } from '@nestjs/common';
import type { EntityManager, SelectQueryBuilder } from 'typeorm';
import { Database } from '../database/index.js';
import type { Client } from '../limits/index.js';
import type { KeysetPage, KeysetRequest } from '../paging/index.js';
import { type NewPost, POST_CONTENT } from '../posts/post.entity.js';
import { NotFound } from '../problem-details/index.js';
import type { Authorship, PostRevision, Revision, WholeRevision } from './post-revision.entity.js';
import { changesWithContent, contentAfter, isOfPost, pageById } from './revision-queries.js';

const SHOWN = ['id', 'action', 'at', 'authorKind', 'authorName'] as const;

/** Lists leave out the body. */
const LISTED = POST_CONTENT.filter((property) => property !== 'body');

/** A creation has the version before the next change: the post may be older than its history. */
const NUMBER =
  'CASE WHEN change.number > 1 THEN change.number ELSE COALESCE(later.number - 1, post.version) END';

/** Reads the revisions of posts. Revisions whose content is no longer kept are left out. */
@Injectable()
export class RevisionsService {
  constructor(private readonly database: Database) {}

  /**
   * The revisions of a post, newest first.
   *
   * @throws RevisionNotFound when the post never existed, or its revisions are no longer kept
   */
  async findPage(postId: number, request: KeysetRequest, client: Client): Promise<KeysetPage<Revision>> {
    const { manager } = this.database.readerOf(client);
    const page = await pageById<Revision>(request, () => kept(manager, postId));
    if (page.rows.length === 0) throw new RevisionNotFound(postId);
    return page;
  }

  /** @throws RevisionNotFound */
  async findOrFail(postId: number, number: number, client: Client): Promise<WholeRevision> {
    const { manager } = this.database.readerOf(client);
    const revision = await kept(manager, postId, POST_CONTENT)
      .andWhere(`${NUMBER} = :number`, { number })
      .getRawOne<WholeRevision>();
    if (!revision) throw new RevisionNotFound(postId, number);
    return revision;
  }

  /** The authors of the creation and of the last change of a post; undefined when no longer known. */
  async findAuthors(
    postId: number,
    client: Client,
  ): Promise<Record<'created' | 'changed', Authorship | undefined>> {
    const { manager } = this.database.readerOf(client);
    const last = (condition: string): Promise<Authorship | undefined> =>
      revisionsOf(manager, postId).andWhere(condition).orderBy('change.id', 'DESC').limit(1).getRawOne();
    const [created, changed] = await Promise.all([last('change.number = 1'), last('change.number > 1')]);
    return { created, changed };
  }
}

function kept(
  manager: EntityManager,
  postId: number,
  content: readonly (keyof NewPost)[] = LISTED,
): SelectQueryBuilder<PostRevision> {
  const query = revisionsOf(manager, postId).andWhere(`${contentAfter('title')} IS NOT NULL`);
  for (const property of content) query.addSelect(contentAfter(property), property);
  return query;
}

/**
 * An id within a range of posts that were created together may never have been a post: it has neither a later change nor
 * a post.
 */
function revisionsOf(manager: EntityManager, postId: number): SelectQueryBuilder<PostRevision> {
  return changesWithContent(manager, SHOWN, ':postId')
    .addSelect(NUMBER, 'number')
    .where(`${isOfPost(manager)} AND change.action <> 'purged'`, { postId })
    .andWhere('(change.number > 1 OR later.id IS NOT NULL OR post.id IS NOT NULL)');
}

/** 404: the post has no such revision, or it is no longer kept. */
class RevisionNotFound extends NotFound {
  constructor(postId: number, number?: number) {
    const revision = number === undefined ? 'history' : `revision ${number}`;
    super(`There is no ${revision} of a post with the id ${postId}.`);
  }
}
