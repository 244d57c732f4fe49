import { Injectable } from '@nestjs/common';
import { type ChangeFilter, ChangesRepository } from './changes.repository.js';
import { type KeysetPage, type KeysetRequest, readKeysetPage } from '../http/request/keyset-page.js';
import type { ChangedPost, LoggedChange, Revision, WholeRevision } from './post-revision.entity.js';
import { type Authorship, RevisionsRepository } from './revisions.repository.js';
import { Conflict, NotFound } from '../problem-details/problems.js';

/** How much of the log is read at once where all of it is. */
const BATCH_ROWS = 1_000;

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

  /** Who made a post, and who changed it last; undefined where nothing of it is known any more. */
  authorsOf(postId: number): Promise<Record<'created' | 'changed', Authorship | undefined>> {
    return this.revisions.findAuthors(postId);
  }

  /** What happened to all posts, newest first. */
  changesOf(filter: ChangeFilter, request: KeysetRequest): Promise<KeysetPage<LoggedChange>> {
    return readKeysetPage(
      request,
      (walk) => this.changes.findPage({ filter, ...walk }),
      ({ id }) => id,
    );
  }

  /** All that the filter finds, newest first, in pages. */
  async *allChanges(filter: ChangeFilter): AsyncGenerator<readonly LoggedChange[]> {
    for (let after: number | undefined; ;) {
      const rows = await this.changes.findPage({ filter, backwards: false, after, rows: BATCH_ROWS });
      yield rows;
      if (rows.length < BATCH_ROWS) return;
      after = rows.at(-1)!.id;
    }
  }

  /**
   * The posts that an entry of the log is about.
   *
   * @throws ChangeNotFound
   */
  async postsOf(id: number, request: KeysetRequest): Promise<KeysetPage<ChangedPost>> {
    const entry = await this.changes.find(id);
    if (!entry) throw new ChangeNotFound(id);
    return readKeysetPage(
      request,
      (walk) => (entry.number === 0 ? this.changes.findParts(id, walk) : this.changes.findMade(entry, walk)),
      (row) => row.id,
    );
  }
}

/** 404: the log has no such entry, or has it no more. */
export class ChangeNotFound extends NotFound {
  constructor(id: number) {
    super(`There is no entry ${id} in the change log.`);
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
