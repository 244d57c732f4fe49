import { Injectable } from '@nestjs/common';
import { MoreThan, type SelectQueryBuilder } from 'typeorm';
import { Database } from '../database/database.js';
import type { Author } from '../http/request/author.js';
import type { KeysetWalk } from '../http/request/keyset-page.js';
import { type NewPost, Post, POST_CONTENT } from '../posts/post.entity.js';
import { IS_VISIBLE } from '../posts/writes/staged-ids.js';
import { OLD, PostRevision, type Revision, type WholeRevision } from './post-revision.entity.js';
import { isCreationOf, joinLater } from './revision-queries.js';

export interface RevisionsRequest extends KeysetWalk {
  readonly postId: number;
}

export type Authorship = Pick<Revision, 'at' | 'author'>;

/** The content is null when it is no longer kept. */
type RevisionRow = Omit<Revision, 'author' | keyof NewPost> & {
  readonly authorKind: Author['kind'];
  readonly authorName: string | null;
} & { readonly [Property in keyof NewPost]: NewPost[Property] | null };

/**
 * The content of a revision is the old content in the next change of the post. The last revision is the post itself, or
 * the deleted content.
 */
const contentOf = (property: keyof NewPost): string =>
  `CASE WHEN revision.action = 'deleted' THEN revision.${OLD[property]} ` +
  `WHEN later.id IS NOT NULL THEN later.${OLD[property]} ELSE post.${property} END`;

/** Reads the revisions of posts. Revisions whose content is no longer kept are left out. */
@Injectable()
export class RevisionsRepository {
  constructor(private readonly database: Database) {}

  /** The revisions of a post, newest first; none if the post never existed or was removed permanently. */
  async findPage({ postId, backwards, after, rows }: RevisionsRequest): Promise<Revision[]> {
    if (!(await this.#isKnown(postId))) return [];
    const walk = { backwards, after, rows };
    const changes = await walked(this.#changes(postId), 'revision.number', walk).getRawMany<RevisionRow>();
    if (!backwards && changes.length < rows) {
      const creation = await this.#creation(postId).getRawOne<RevisionRow>();
      if (creation && (after === undefined || creation.number < after)) changes.push(creation);
    }
    return changes.flatMap(toRevision);
  }

  async find(postId: number, number: number): Promise<WholeRevision | undefined> {
    if (!(await this.#isKnown(postId))) return undefined;
    const body = contentOf('body');
    const change = await this.#changes(postId)
      .addSelect(body, 'body')
      .andWhere('revision.number = :number', { number })
      .getRawOne<RevisionRow>();
    if (change) return toRevision(change)[0] as WholeRevision | undefined;
    const creation = await this.#creation(postId).addSelect(body, 'body').getRawOne<RevisionRow>();
    return creation?.number === number ? (toRevision(creation)[0] as WholeRevision) : undefined;
  }

  /** The authors of the creation and of the last change of a post; undefined when no longer known. */
  async findAuthors(postId: number): Promise<Record<'created' | 'changed', Authorship | undefined>> {
    const [created, changed] = await Promise.all([
      this.#creation(postId).getRawOne<RevisionRow>(),
      this.#changes(postId).orderBy('revision.number', 'DESC').limit(1).getRawOne<RevisionRow>(),
    ]);
    return { created: created && toAuthorship(created), changed: changed && toAuthorship(changed) };
  }

  #changes(postId: number): SelectQueryBuilder<PostRevision> {
    return this.#revisions(postId)
      .addSelect('revision.number', 'number')
      .where(`revision.postId = :postId AND revision.number > 1 AND revision.action <> 'purged'`);
  }

  /** The row of the post's creation, or of its first record. */
  #creation(postId: number): SelectQueryBuilder<PostRevision> {
    return this.#revisions(postId)
      .addSelect('COALESCE(later.number - 1, post.version)', 'number')
      .where(isCreationOf('revision', ':postId'))
      .orderBy('revision.postId', 'DESC')
      .limit(1);
  }

  #revisions(postId: number): SelectQueryBuilder<PostRevision> {
    const builder = this.database.reader.manager.createQueryBuilder(PostRevision, 'revision').select([]);
    for (const property of POST_CONTENT.filter((name) => name !== 'body')) {
      builder.addSelect(contentOf(property), property);
    }
    return joinLater(builder, 'revision', ':postId')
      .leftJoin(Post, 'post', 'post.id = :postId')
      .addSelect('revision.action', 'action')
      .addSelect('revision.at', 'at')
      .addSelect('revision.authorKind', 'authorKind')
      .addSelect('revision.authorName', 'authorName')
      .setParameters({ postId });
  }

  /**
   * Whether the post ever existed. An id within a range of posts that were created together may never have been a post.
   */
  async #isKnown(postId: number): Promise<boolean> {
    const { manager } = this.database.reader;
    const post = manager
      .createQueryBuilder(Post, 'post')
      .where(`post.id = :postId AND ${IS_VISIBLE}`, { postId });
    return (await post.getExists()) || manager.existsBy(PostRevision, { postId, number: MoreThan(1) });
  }
}

/** Limits a query to a section of a list, walked by a column. */
export function walked<Row extends object>(
  query: SelectQueryBuilder<Row>,
  column: string,
  { backwards, after, rows }: KeysetWalk,
): SelectQueryBuilder<Row> {
  if (after !== undefined) query.andWhere(`${column} ${backwards ? '>' : '<'} :after`, { after });
  return query.orderBy(column, backwards ? 'ASC' : 'DESC').limit(rows);
}

function toAuthorship({ at, authorKind, authorName }: RevisionRow): Authorship {
  return { at, author: { kind: authorKind, name: authorName ?? undefined } };
}

/** @returns an empty array when the content is no longer kept */
function toRevision({ authorKind, authorName, ...row }: RevisionRow): Revision[] {
  if (row.title === null) return [];
  return [{ ...(row as WholeRevision), author: { kind: authorKind, name: authorName ?? undefined } }];
}
