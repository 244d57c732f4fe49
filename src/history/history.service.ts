import { Injectable } from '@nestjs/common';
import {
  keysetBatches,
  type KeysetPage,
  type KeysetRequest,
  readKeysetPage,
} from '../http/request/keyset-page.js';
import { NotFound } from '../problem-details/problems.js';
import { type ChangeFilter, ChangesRepository } from './changes.repository.js';
import { DeletedPostsRepository } from './deleted-posts.repository.js';
import type {
  ChangedPost,
  DeletedPost,
  LoggedChange,
  Revision,
  WholeRevision,
} from './post-revision.entity.js';
import { type Authorship, RevisionsRepository } from './revisions.repository.js';

const BATCH_ROWS = 1_000;

@Injectable()
export class HistoryService {
  constructor(
    private readonly revisions: RevisionsRepository,
    private readonly changes: ChangesRepository,
    private readonly deletions: DeletedPostsRepository,
  ) {}

  /**
   * The revisions of a post, newest first.
   *
   * @throws RevisionNotFound when the post never existed, or its revisions are no longer kept
   */
  async revisionsOf(postId: number, request: KeysetRequest): Promise<KeysetPage<Revision>> {
    const page = await readKeysetPage(
      request,
      (walk) => this.revisions.findPage(postId, walk),
      ({ number }) => [number],
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

  /** The authors of the creation and of the last change of a post; undefined when no longer known. */
  authorsOf(postId: number): Promise<Record<'created' | 'changed', Authorship | undefined>> {
    return this.revisions.findAuthors(postId);
  }

  changesOf(filter: ChangeFilter, request: KeysetRequest): Promise<KeysetPage<LoggedChange>> {
    return readKeysetPage(
      request,
      (walk) => this.changes.findPage(filter, walk),
      ({ id }) => [id],
    );
  }

  countChanges(filter: ChangeFilter): Promise<number> {
    return this.changes.count(filter);
  }

  /** The last deletion first. @param search words of the titles, in the syntax of a list's `search` */
  deletedPosts(search: string | undefined, request: KeysetRequest): Promise<KeysetPage<DeletedPost>> {
    return readKeysetPage(
      request,
      (walk) => this.deletions.findPage(walk, search),
      ({ changeId }) => [changeId],
    );
  }

  /** The number of deleted posts whose titles have the words. */
  async countDeletedPosts(search: string | undefined): Promise<number> {
    return (await this.deletions.findIds(search)).length;
  }

  /** All entries that match the filter, newest first, in batches. */
  allChanges(filter: ChangeFilter): AsyncGenerator<readonly LoggedChange[]> {
    return keysetBatches(
      { rows: BATCH_ROWS },
      (walk) => this.changes.findPage(filter, walk),
      ({ id }) => [id],
    );
  }

  /**
   * The posts of an entry of the log.
   *
   * @throws ChangeNotFound
   */
  async postsOf(entryId: number, request: KeysetRequest): Promise<KeysetPage<ChangedPost>> {
    const entry = await this.changes.find(entryId);
    if (!entry) throw new ChangeNotFound(entryId);
    return readKeysetPage(
      request,
      (walk) => this.changes.findPosts(entry, walk),
      ({ id }) => [id],
    );
  }
}

/** 404: the log has no such entry, or no longer keeps it. */
export class ChangeNotFound extends NotFound {
  constructor(id: number) {
    super(`There is no entry ${id} in the change log.`);
  }
}

/** 404: the post has no such revision, or it is no longer kept. */
class RevisionNotFound extends NotFound {
  constructor(postId: number, number?: number) {
    const revision = number === undefined ? 'history' : `revision ${number}`;
    super(`There is no ${revision} of a post with the id ${postId}.`);
  }
}
