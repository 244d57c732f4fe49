import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import {
  type ChangeListener,
  Database,
  type RowChange,
  VersionedRows,
  walked,
} from '../../../src/database/index.js';
import { type KeysetPage, type KeysetRequest, readKeysetPage } from '../../../src/paging/index.js';
import { PostsService } from '../../../src/posts/posts.service.js';
import { PostListeners } from '../../../src/posts/writes/post-changes.js';
import { Conflict, NotFound, type Preconditions, UniqueValues } from '../../../src/problem-details/index.js';
import { Comment } from './comment.entity.js';
import { commentStatements } from './comments.sql.js';

type Content = Pick<Comment, 'slug' | 'text'>;
type CommentChange = RowChange<Comment>;

/** A listener, such as a second table that changes in the same transaction, and may refuse a change. */
class CommentListener implements ChangeListener<CommentChange, Content, number> {
  /** The number of words of each comment. */
  readonly prepared: number[] = [];
  readonly committed: (readonly { id: number; version: number | undefined }[] | undefined)[] = [];

  prepare({ text }: Content): number {
    return text.split(' ').length;
  }

  onChanges(
    _transaction: unknown,
    changes: readonly CommentChange[],
    prepared: readonly (number | undefined)[],
  ): void {
    if (changes.some(({ after }) => after?.text === 'fails')) throw new Conflict('It fails.');
    this.prepared.push(...prepared.map((words) => words ?? 0));
  }

  onCommitted(rows: (typeof this.committed)[number]): void {
    this.committed.push(rows);
  }
}

@Injectable()
export class CommentsService {
  readonly listener = new CommentListener();
  readonly #comments: VersionedRows<Comment, CommentChange, Content>;

  constructor(
    private readonly database: Database,
    private readonly posts: PostsService,
    postListeners: PostListeners,
    uniqueValues: UniqueValues,
  ) {
    uniqueValues.add({
      entity: Comment,
      property: 'slug',
      index: 'example_comments_by_slug',
      problemOf: ({ value }) => new Conflict(`Another comment has the slug ${String(value)}.`),
    });
    this.#comments = new VersionedRows(database, {
      table: 'example_comments',
      statements: commentStatements(database.dialect),
      listeners: [this.listener],
    });
    // The comments of a post go with it.
    postListeners.add({
      async onChanges({ manager }, changes) {
        const gone = changes.flatMap(({ before, after }) => (after ? [] : [before.id]));
        if (gone.length > 0) await manager.delete(Comment, { postId: In(gone) });
      },
    });
  }

  async findOrFail(postId: number, id: number): Promise<Comment> {
    return ofPost(postId, await this.#comments.find(id));
  }

  async create(postId: number, content: Content): Promise<Comment> {
    await this.posts.assertExists(postId);
    const prepared = await this.#comments.prepare(content);
    const stored = await this.#comments.change({
      decide: () => ({ before: undefined, after: { ...content, postId, id: 0, version: 1 }, prepared }),
    });
    return stored!;
  }

  async replace(
    postId: number,
    id: number,
    content: Content,
    preconditions: Preconditions,
  ): Promise<Comment> {
    const prepared = await this.#comments.prepare(content);
    const stored = await this.#comments.change({
      id,
      decide(comment) {
        const before = ofPost(postId, comment);
        assertMet(preconditions, before);
        return { before, after: { id, postId, ...content, version: before.version + 1 }, prepared };
      },
    });
    return stored!;
  }

  async delete(postId: number, id: number, preconditions: Preconditions): Promise<void> {
    await this.#comments.change({
      id,
      decide(comment) {
        const before = ofPost(postId, comment);
        assertMet(preconditions, before);
        return { before, after: undefined };
      },
    });
  }

  /** The newest first. @throws NotFound when there is no such post */
  async findPage(postId: number, request: KeysetRequest): Promise<KeysetPage<Comment>> {
    await this.posts.assertExists(postId);
    const { manager } = this.database.reader;
    return readKeysetPage(
      request,
      (walk) => {
        const query = manager.createQueryBuilder(Comment, 'comment').where({ postId });
        return walked(query, ['comment.id'], walk).getMany();
      },
      ({ id }) => [id],
    );
  }
}

export function entityTagOf({ id, version }: Comment): string {
  return `comment-${id}-${version}`;
}

function assertMet(preconditions: Preconditions, comment: Comment): void {
  preconditions.assertMet(entityTagOf(comment), undefined);
}

/** The comment, if it belongs to this post. @throws NotFound */
function ofPost(postId: number, comment: Comment | undefined): Comment {
  if (comment?.postId !== postId) throw new NotFound('The post has no such comment.');
  return comment;
}
