import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull, type SelectQueryBuilder } from 'typeorm';
import { Database } from '../database/database.js';
import { selectProperties } from '../database/entity-queries.js';
import type { Author } from '../http/request/author.js';
import type { KeysetWalk } from '../http/request/keyset-page.js';
import { Post } from '../posts/post.entity.js';
import {
  type ChangeAction,
  type ChangedPost,
  type LoggedChange,
  PostRevision,
} from './post-revision.entity.js';
import { isCreationOf, joinLater } from './revision-queries.js';
import { walked } from './revisions.repository.js';

export interface ChangeFilter {
  readonly action?: ChangeAction | undefined;
  readonly authorKind?: Author['kind'] | undefined;
  /** Part of the name; case does not matter. */
  readonly authorName?: string | undefined;
  /** Part of the title of the post, or of the name of the account or token; case does not matter. */
  readonly subject?: string | undefined;
  /** Leaves out entries with this action. */
  readonly hidden?: ChangeAction | undefined;
  readonly postId?: number | undefined;
  /** Inclusive lower bound of the time, in its stored form. */
  readonly from?: string | undefined;
  /** Exclusive upper bound of the time, in its stored form. */
  readonly before?: string | undefined;
}

export interface ChangesRequest extends KeysetWalk {
  readonly filter: ChangeFilter;
}

interface ChangeRow extends Omit<LoggedChange, 'author'> {
  readonly authorKind: Author['kind'];
  readonly authorName: string | null;
  readonly address: string | null;
}

const SHOWN = [
  'id',
  'postId',
  'lastPostId',
  'number',
  'action',
  'at',
  'authorKind',
  'authorName',
  'address',
  'subject',
  'detail',
  'count',
] as const;

/** The condition of a partial index. A query repeats it, so that the databases use the index. */
const RARE_ACTION = `change.action NOT IN ('created', 'changed')`;

const TITLE =
  `CASE WHEN change.postId <> change.lastPostId THEN NULL WHEN change.action = 'deleted' THEN change.oldTitle ` +
  `WHEN later.id IS NOT NULL THEN later.oldTitle ELSE post.title END`;

const CONDITIONS: Readonly<Record<Exclude<keyof ChangeFilter, 'postId'>, string>> = {
  action: 'change.action = :action',
  authorKind: 'change.authorKind = :authorKind',
  authorName: `LOWER(change.authorName) LIKE :authorName ESCAPE '\\'`,
  subject: `(LOWER(change.subject) LIKE :subject ESCAPE '\\' OR LOWER(${TITLE}) LIKE :subject ESCAPE '\\')`,
  hidden: 'change.action <> :hidden',
  from: 'change.at >= :from',
  before: 'change.at < :before',
};

@Injectable()
export class ChangesRepository {
  constructor(private readonly database: Database) {}

  async findPage({ filter, ...walk }: ChangesRequest): Promise<LoggedChange[]> {
    const rows = await this.#read(filter, (query) =>
      walked(query, 'change.id', walk).getRawMany<ChangeRow>(),
    );
    return rows.map(({ authorKind, authorName, address, ...row }) => ({
      ...row,
      author: { kind: authorKind, name: authorName ?? undefined, address: address ?? undefined },
    }));
  }

  count(filter: ChangeFilter): Promise<number> {
    return this.#read(filter, (query) => query.getCount());
  }

  /** Without an index for the filter, the database reads the log, so it does so in a snapshot: no other query waits. */
  async #read<Result>(
    filter: ChangeFilter,
    run: (query: SelectQueryBuilder<PostRevision>) => Promise<Result>,
  ): Promise<Result> {
    if (isIndexed(filter)) return run(this.#query(this.database.reader.manager, filter));
    const snapshot = await this.database.snapshot();
    try {
      return await run(this.#query(snapshot.manager, filter));
    } finally {
      await snapshot.close();
    }
  }

  find(id: number): Promise<PostRevision | null> {
    return this.database.reader.manager.findOneBy(PostRevision, { id, partOf: IsNull() });
  }

  /** The posts that one action changed one by one, newest first; walked by the ids of their changes. */
  findParts(entry: number, walk: KeysetWalk): Promise<(ChangedPost & { id: number })[]> {
    const query = titled(this.database.reader.manager, ['id', 'postId']).where('change.partOf = :entry', {
      entry,
    });
    return walked(query, 'change.id', walk).getRawMany();
  }

  /** The posts that were created together and still exist, newest first; walked by their ids. */
  findMade(entry: PostRevision, walk: KeysetWalk): Promise<(ChangedPost & { id: number })[]> {
    const query = this.#made(entry).addSelect('post.id', 'postId').addSelect('post.title', 'title');
    return walked(query, 'post.id', walk).getRawMany();
  }

  #made({ postId, lastPostId }: PostRevision): SelectQueryBuilder<Post> {
    const { manager } = this.database.reader;
    const query = manager.createQueryBuilder(Post, 'post').select('post.id', 'id');
    // A nearer entry covers posts that were created separately at the same time.
    const nearer = query
      .subQuery()
      .select('1')
      .from(PostRevision, 'made')
      .where(`made.postId > :postId AND ${isCreationOf('made', 'post.id')}`);
    return query
      .where('post.id BETWEEN :postId AND :lastPostId', { postId, lastPostId })
      .andWhere(`NOT EXISTS ${nearer.getQuery()}`);
  }

  #query(manager: EntityManager, { postId, ...filter }: ChangeFilter): SelectQueryBuilder<PostRevision> {
    const builder = titled(manager, SHOWN).setParameters({
      ...filter,
      authorName: filter.authorName === undefined ? undefined : partOf(filter.authorName),
      subject: filter.subject === undefined ? undefined : partOf(filter.subject),
    });
    for (const [name, condition] of Object.entries(CONDITIONS)) {
      if (filter[name as keyof typeof CONDITIONS] !== undefined) builder.andWhere(condition);
    }
    // The history of one post shows its own changes. All other lists show the entries that cover several changes.
    if (postId === undefined) builder.andWhere('change.partOf IS NULL');
    else builder.andWhere(`change.id IN (${idsOfPost(manager)})`, { postId });
    if (isRare(filter.action)) builder.andWhere(RARE_ACTION);
    return builder;
  }
}

function titled(
  manager: EntityManager,
  properties: readonly (keyof PostRevision)[],
): SelectQueryBuilder<PostRevision> {
  return joinLater(selectProperties(manager, PostRevision, 'change', properties), 'change')
    .leftJoin(Post, 'post', 'post.id = change.postId')
    .addSelect(TITLE, 'title');
}

/** Selects the ids of the changes of one post, and of its creation. */
function idsOfPost(manager: EntityManager): string {
  const changes = manager
    .createQueryBuilder(PostRevision, 'own')
    .select('own.id')
    .where('own.postId = :postId AND own.number > 1');
  const creation = manager
    .createQueryBuilder(PostRevision, 'made')
    .select('made.id')
    .where(isCreationOf('made', ':postId'))
    .orderBy('made.postId', 'DESC')
    .limit(1);
  return `${changes.getQuery()} UNION ALL SELECT * FROM (${creation.getQuery()}) AS creation`;
}

function isIndexed(filter: ChangeFilter): boolean {
  return filter.postId !== undefined || isRare(filter.action);
}

function isRare(action: ChangeAction | undefined): boolean {
  return action !== undefined && action !== 'created' && action !== 'changed';
}

/** A pattern of LIKE for text that contains this part, in lower case. */
function partOf(text: string): string {
  return `%${text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}
