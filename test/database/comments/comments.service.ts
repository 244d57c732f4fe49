import { Injectable } from '@nestjs/common';
import { Database } from '../../../src/database/database.js';
import { walked } from '../../../src/database/entity-queries.js';
import { type RowChange, VersionedRows } from '../../../src/database/versioned-rows.js';
import { type KeysetPage, type KeysetRequest, readKeysetPage } from '../../../src/paging/keyset-page.js';
import type { Preconditions } from '../../../src/problem-details/preconditions.js';
import { Conflict, NotFound } from '../../../src/problem-details/problems.js';
import { Comment } from './comment.entity.js';

type Content = Pick<Comment, 'slug' | 'text'>;

@Injectable()
export class CommentsService {
  readonly #comments: VersionedRows<Comment, RowChange<Comment>>;

  constructor(private readonly database: Database) {
    this.#comments = new VersionedRows(database, {
      entity: Comment,
      // Stands for a second table that changes in the same transaction, and fails.
      listeners: [
        {
          async onChanges(_transaction, changes) {
            if (changes.some(({ after }) => after?.text === 'fails')) throw new Conflict('It fails.');
          },
        },
      ],
    });
  }

  async find(id: number): Promise<Comment> {
    return existing(await this.#comments.find(id));
  }

  async create(postId: number, content: Content): Promise<Comment> {
    const after = { ...content, postId, id: 0, version: 1 };
    return (await this.#comments.change({ decide: () => ({ before: undefined, after: { ...after } }) }))!;
  }

  async replace(id: number, content: Content, preconditions: Preconditions): Promise<Comment> {
    const stored = await this.#comments.change({
      id,
      decide(comment) {
        const before = existing(comment);
        assertMet(preconditions, before);
        return { before, after: { id, postId: before.postId, ...content, version: before.version + 1 } };
      },
    });
    return stored!;
  }

  async delete(id: number, preconditions: Preconditions): Promise<void> {
    await this.#comments.change({
      id,
      decide(comment) {
        const before = existing(comment);
        assertMet(preconditions, before);
        return { before, after: undefined };
      },
    });
  }

  list(postId: number, request: KeysetRequest): Promise<KeysetPage<Comment>> {
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

function existing(comment: Comment | undefined): Comment {
  if (!comment) throw new NotFound('There is no such comment.');
  return comment;
}
