import { Injectable } from '@nestjs/common';
import type { SelectQueryBuilder } from 'typeorm';
import { Database } from '../database/database.js';
import { selectProperties, walked } from '../database/entity-queries.js';
import {
  type KeysetPage,
  type KeysetRequest,
  type KeysetWalk,
  readKeysetPage,
} from '../paging/keyset-page.js';
import { type NewPost, Post, POST_CONTENT } from '../posts/post.entity.js';
import { NotFound } from '../problem-details/problems.js';
import { type Authorship, PostRevision, type Revision, type WholeRevision } from './post-revision.entity.js';
import { contentAfter, isCreationOf, joinLater } from './revision-queries.js';

const SHOWN = ['action', 'at', 'authorKind', 'authorName'] as const;

/** Lists leave out the body. */
const LISTED = POST_CONTENT.filter((property) => property !== 'body');

/** The title is null when the content is no longer kept. */
type Row<Whole extends Revision> = Omit<Whole, 'title'> & { readonly title: string | null };
type RevisionRow = Row<Revision>;
type WholeRow = Row<WholeRevision>;

/** Reads the revisions of posts. Revisions whose content is no longer kept are left out. */
@Injectable()
export class RevisionsService {
  constructor(private readonly database: Database) {}

  /**
   * The revisions of a post, newest first.
   *
   * @throws RevisionNotFound when the post never existed, or its revisions are no longer kept
   */
  async findPage(postId: number, request: KeysetRequest): Promise<KeysetPage<Revision>> {
    const page = await readKeysetPage(
      request,
      (walk) => this.#read(postId, walk),
      ({ number }) => [number],
    );
    if (page.rows.length === 0) throw new RevisionNotFound(postId);
    return page;
  }

  /** @throws RevisionNotFound */
  async findOrFail(postId: number, number: number): Promise<WholeRevision> {
    const row =
      (await this.#changes(postId, POST_CONTENT)
        .andWhere('revision.number = :number', { number })
        .getRawOne<WholeRow>()) ?? (await this.#creation(postId, POST_CONTENT).getRawOne<WholeRow>());
    if (row?.number === number && isKept(row)) return row;
    throw new RevisionNotFound(postId, number);
  }

  async #read(postId: number, walk: KeysetWalk): Promise<Revision[]> {
    const { backwards, after: [after] = [], rows } = walk;
    const found = await walked(this.#changes(postId), ['revision.number'], walk).getRawMany<RevisionRow>();
    if (!backwards && found.length < rows) {
      const creation = await this.#creation(postId).getRawOne<RevisionRow>();
      if (creation && (after === undefined || creation.number < Number(after))) found.push(creation);
    }
    return found.filter(isKept);
  }

  /** The authors of the creation and of the last change of a post; undefined when no longer known. */
  async findAuthors(postId: number): Promise<Record<'created' | 'changed', Authorship | undefined>> {
    const [created, changed] = await Promise.all([
      this.#creation(postId).getRawOne<RevisionRow>(),
      this.#changes(postId).orderBy('revision.number', 'DESC').limit(1).getRawOne<RevisionRow>(),
    ]);
    return { created, changed };
  }

  #changes(postId: number, content: readonly (keyof NewPost)[] = LISTED): SelectQueryBuilder<PostRevision> {
    return this.#revisions(postId, content)
      .addSelect('revision.number', 'number')
      .where(`revision.postId = :postId AND revision.number > 1 AND revision.action <> 'purged'`);
  }

  /**
   * The row of the post's creation, or of its first record. An id within a range of posts that were created together may
   * never have been a post: it has neither a later change nor a post.
   */
  #creation(postId: number, content: readonly (keyof NewPost)[] = LISTED): SelectQueryBuilder<PostRevision> {
    return this.#revisions(postId, content)
      .addSelect('COALESCE(later.number - 1, post.version)', 'number')
      .where(isCreationOf('revision', ':postId'))
      .andWhere('(later.id IS NOT NULL OR post.id IS NOT NULL)')
      .orderBy('revision.postId', 'DESC')
      .limit(1);
  }

  #revisions(postId: number, content: readonly (keyof NewPost)[]): SelectQueryBuilder<PostRevision> {
    const { manager } = this.database.reader;
    const shown = selectProperties(manager, PostRevision, 'revision', SHOWN);
    const query = joinLater(shown, 'revision', ':postId').leftJoin(Post, 'post', 'post.id = :postId');
    for (const property of content) query.addSelect(contentAfter('revision', property), property);
    return query.setParameters({ postId });
  }
}

function isKept<Kept extends RevisionRow>(row: Kept): row is Kept & { readonly title: string } {
  return row.title !== null;
}

/** 404: the post has no such revision, or it is no longer kept. */
class RevisionNotFound extends NotFound {
  constructor(postId: number, number?: number) {
    const revision = number === undefined ? 'history' : `revision ${number}`;
    super(`There is no ${revision} of a post with the id ${postId}.`);
  }
}
