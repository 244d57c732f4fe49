import { Injectable } from '@nestjs/common';
import { type ChangeFilter, ChangesRepository } from './changes.repository.js';
import { type KeysetPage, type KeysetRequest, readKeysetPage } from '../http/request/keyset-page.js';
import type { LoggedChange, Revision, WholeRevision } from './post-revision.entity.js';
import { RevisionsRepository } from './revisions.repository.js';
import { Conflict, NotFound } from '../problem-details/problems.js';

/** Knows what became of the posts, and who did it. */
@Injectable()
export class HistoryService {
  constructor(
    private readonly revisions: RevisionsRepository,
    private readonly changes: ChangesRepository,
  ) {}

  /**
   * What a post was, newest first.
   *
   * @throws RevisionNotFound when the post never was, or is known no more
   */
  async revisionsOf(postId: number, request: KeysetRequest): Promise<KeysetPage<Revision>> {
    const page = await readKeysetPage(
      request,
      (walk) => this.revisions.findPage({ postId, ...walk }),
      ({ number }) => number,
    );
    if (page.rows.length === 0) throw new RevisionNotFound(postId);
    return page;
  }

  /** @throws RevisionNotFound */
  async findRevisionOrFail(postId: number, number: number): Promise<WholeRevision> {
    const revision = await this.revisions.find(postId, number);
    if (!revision) throw new RevisionNotFound(postId, number);
    return revision;
  }

  /** What happened to all posts, newest first. */
  changesOf(filter: ChangeFilter, request: KeysetRequest): Promise<KeysetPage<LoggedChange>> {
    return readKeysetPage(
      request,
      (walk) => this.changes.findPage({ filter, ...walk }),
      ({ id }) => id,
    );
  }
}

/** 404: there is no such revision of the post, or it is kept no more. */
export class RevisionNotFound extends NotFound {
  constructor(postId: number, number?: number) {
    super(
      number === undefined
        ? `Nothing is known of a post with the id ${postId}.`
        : `There is no revision ${number} of a post with the id ${postId}.`,
    );
  }
}

/** 404: no post with this id was deleted, or it was removed for good. */
export class DeletedPostNotFound extends NotFound {
  constructor(ids: readonly number[]) {
    super(`No deleted post is known by the id ${ids.join(', ')}; nothing was changed.`);
  }
}

/** 409: the posts are there, so they cannot be restored. */
export class PostsNotDeleted extends Conflict {
  constructor(ids: readonly number[]) {
    super(`There is a post with the id ${ids.join(', ')}; nothing was changed.`);
  }
}
