import { Injectable } from '@nestjs/common';
import { IsNull, LessThanOrEqual, type SelectQueryBuilder } from 'typeorm';
import { Database } from '../database/database.js';
import { selectProperties } from '../database/entity-queries.js';
import type { Author } from '../http/request/author.js';
import type { KeysetWalk } from '../http/request/keyset-page.js';
import { Post } from '../posts/post.entity.js';
import { toPubDate } from '../posts/pub-date.js';
import {
  type ChangeAction,
  type ChangedPost,
  type LoggedChange,
  PostRevision,
} from './post-revision.entity.js';
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

/** The number of ids per query when no index fits the filter. Such a query takes some milliseconds. */
const WINDOW = 10_000;
/** The most by which a clock is assumed to have been set back. Apart from that, the dates ascend with the ids. */
const CLOCK_TOLERANCE_MS = 3_600_000;

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

  async findPage(request: ChangesRequest): Promise<LoggedChange[]> {
    const rows = isIndexed(request.filter)
      ? await this.#read(request, -Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, request.rows)
      : await this.#readThrough(request);
    return rows.map(({ authorKind, authorName, address, ...row }) => ({
      ...row,
      author: { kind: authorKind, name: authorName ?? undefined, address: address ?? undefined },
    }));
  }

  count(filter: ChangeFilter): Promise<number> {
    return this.#query(filter).getCount();
  }

  find(id: number): Promise<PostRevision | null> {
    return this.database.reader.manager.findOneBy(PostRevision, { id, partOf: IsNull() });
  }

  /** The posts that one action changed one by one, newest first; walked by the ids of their changes. */
  findParts(entry: number, walk: KeysetWalk): Promise<(ChangedPost & { id: number })[]> {
    const query = this.#titled(['id', 'postId']).where('change.partOf = :entry', { entry });
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
      .where('made.number = 1 AND made.postId > :postId')
      .andWhere('made.postId <= post.id AND made.lastPostId >= post.id');
    return query
      .where('post.id BETWEEN :postId AND :lastPostId', { postId, lastPostId })
      .andWhere(`NOT EXISTS ${nearer.getQuery()}`);
  }

  /** Scans the log in windows until the page is full, so that no query takes long. */
  async #readThrough(request: ChangesRequest): Promise<ChangeRow[]> {
    const { filter, after, backwards, rows: wanted } = request;
    const [bottom, top] = await this.#boundsOf(filter);
    const found: ChangeRow[] = [];
    let from = backwards ? Math.max(bottom, (after ?? 0) + 1) : Math.min(top, after ?? Infinity);
    while (found.length < wanted && (backwards ? from < top : from > bottom)) {
      const to = backwards ? Math.min(top, from + WINDOW) : Math.max(bottom, from - WINDOW);
      found.push(
        ...(await this.#read(request, Math.min(from, to), Math.max(from, to), wanted - found.length)),
      );
      from = to;
    }
    return found;
  }

  /** @param bottom the lowest id @param top the end of the ids, excluded */
  #read(
    { filter, backwards, after }: ChangesRequest,
    bottom: number,
    top: number,
    rows: number,
  ): Promise<ChangeRow[]> {
    const [low, high] = backwards
      ? [Math.max(bottom, (after ?? 0) + 1), top]
      : [bottom, Math.min(top, after ?? top)];
    return this.#query(filter)
      .andWhere('change.id >= :low AND change.id < :high', { low, high })
      .orderBy('change.id', backwards ? 'ASC' : 'DESC')
      .limit(rows)
      .getRawMany<ChangeRow>();
  }

  #query({ postId, ...filter }: ChangeFilter): SelectQueryBuilder<PostRevision> {
    const builder = this.#titled(SHOWN).setParameters({
      ...filter,
      authorName: filter.authorName === undefined ? undefined : partOf(filter.authorName),
      subject: filter.subject === undefined ? undefined : partOf(filter.subject),
    });
    for (const [name, condition] of Object.entries(CONDITIONS)) {
      if (filter[name as keyof typeof CONDITIONS] !== undefined) builder.andWhere(condition);
    }
    // The history of one post shows its own changes. All other lists show the entries that cover several changes.
    if (postId === undefined) builder.andWhere('change.partOf IS NULL');
    else builder.andWhere(`change.id IN (${this.#idsOf()})`, { postId });
    if (isRare(filter.action)) builder.andWhere(RARE_ACTION);
    return builder;
  }

  #titled(properties: readonly (keyof PostRevision)[]): SelectQueryBuilder<PostRevision> {
    const builder = selectProperties(this.database.reader.manager, PostRevision, 'change', properties);
    const later = builder
      .subQuery()
      .select('next.id')
      .from(PostRevision, 'next')
      .where('next.postId = change.postId AND next.number > 1 AND next.number > change.number')
      .orderBy('next.number')
      .limit(1);
    return builder
      .leftJoin(PostRevision, 'later', `later.id = ${later.getQuery()}`)
      .leftJoin(Post, 'post', 'post.id = change.postId')
      .addSelect(TITLE, 'title');
  }

  /** Several creations can cover the id. The nearest one created the post; see revisions.repository.ts. */
  #idsOf(): string {
    const revisions = this.database.reader.manager.getRepository(PostRevision);
    const changes = revisions
      .createQueryBuilder('own')
      .select('own.id')
      .where('own.postId = :postId AND own.number > 1');
    const creation = revisions
      .createQueryBuilder('made')
      .select('made.id')
      .where('made.number = 1 AND made.postId <= :postId AND made.lastPostId >= :postId')
      .orderBy('made.postId', 'DESC')
      .limit(1);
    return `${changes.getQuery()} UNION ALL SELECT * FROM (${creation.getQuery()}) AS creation`;
  }

  /** The range of ids that contains all entries within the dates of the filter. */
  async #boundsOf({ from, before }: ChangeFilter): Promise<readonly [number, number]> {
    const end = ((await this.database.reader.manager.maximum(PostRevision, 'id')) ?? 0) + 1;
    return [
      from === undefined ? 0 : await this.#firstIdOf(shifted(from, -CLOCK_TOLERANCE_MS), end),
      before === undefined ? end : await this.#firstIdOf(shifted(before, CLOCK_TOLERANCE_MS), end),
    ];
  }

  /** The lowest id of a change at this time or later, provided that the dates ascend. */
  async #firstIdOf(at: string, end: number): Promise<number> {
    let [low, high] = [0, end];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const nearest = await this.database.reader.manager.findOne(PostRevision, {
        select: { id: true, at: true },
        where: { id: LessThanOrEqual(middle) },
        order: { id: 'DESC' },
      });
      if (nearest === null || nearest.at < at) low = middle + 1;
      else high = middle;
    }
    return low;
  }
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

function shifted(stored: string, byMs: number): string {
  const moved = toPubDate(Date.parse(stored) + byMs);
  // A date beyond the year 9999 does not sort as text.
  return moved.startsWith('+') ? stored : moved;
}
