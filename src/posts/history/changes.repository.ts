import { Injectable } from '@nestjs/common';
import { CompiledQuery, type QueryValues } from '../../database/compiled-query.js';
import { Database } from '../../database/database.js';
import type { Author } from '../../http/author.js';
import { toPubDate } from '../pub-date.js';
import type { KeysetWalk } from './keyset-page.js';
import type { ChangeAction, LoggedChange } from './revision.js';

/** Which changes, of all that were logged. */
export interface ChangeFilter {
  readonly action?: ChangeAction | undefined;
  readonly authorKind?: Author['kind'] | undefined;
  readonly authorName?: string | undefined;
  readonly postId?: number | undefined;
  /** Stored form of a date: changes of then or later. */
  readonly from?: string | undefined;
  /** Stored form of a date: changes of before then. */
  readonly before?: string | undefined;
}

/** A stretch of the log, walked by the ids. */
export interface ChangesRequest extends KeysetWalk {
  readonly filter: ChangeFilter;
}

interface ChangeRow extends Omit<LoggedChange, 'author' | 'title'> {
  readonly authorKind: Author['kind'];
  readonly authorName: string | null;
  readonly title: string | null;
}

/** So many ids are looked through at once where no index leads to what is wanted: some milliseconds. */
const WINDOW = 10_000;
/** As far as a clock may ever have been set back: the ids ascend, and the dates with them but for that. */
const CLOCK_TOLERANCE_MS = 3_600_000;

const CONDITIONS: Readonly<Record<keyof ChangeFilter, string>> = {
  action: 'change.action = :action',
  authorKind: 'change.author_kind = :authorKind',
  authorName: 'change.author_name = :authorName',
  from: 'change.at >= :from',
  before: 'change.at < :before',
  // Of those who made several posts at once, the nearest made this one; see revisions.repository.ts.
  postId: `change.id IN (
    SELECT id FROM post_revisions WHERE post_id = :postId AND number > 1
    UNION ALL
    SELECT id FROM (
      SELECT id FROM post_revisions WHERE number = 1 AND post_id <= :postId AND last_post_id >= :postId
      ORDER BY post_id DESC LIMIT 1
    ) AS creation
  )`,
};

/** The words of the partial indexes, by which the databases know that these hold what is asked for. */
const RARE_ACTION = `change.action NOT IN ('created', 'changed')`;
const NAMED_AUTHOR = `change.author_kind <> 'api'`;

const SELECT = `
  SELECT change.id AS "id", change.post_id AS "postId", change.last_post_id AS "lastPostId",
    change.action AS "action", change.at AS "at",
    change.author_kind AS "authorKind", change.author_name AS "authorName",
    CASE
      WHEN change.post_id <> change.last_post_id THEN NULL
      WHEN change.action = 'deleted' THEN change.old_title
      WHEN later.id IS NOT NULL THEN later.old_title
      ELSE post.title
    END AS "title"
  FROM post_revisions change
  LEFT JOIN post_revisions later ON later.id = (
    SELECT id FROM post_revisions
    WHERE post_id = change.post_id AND number > 1 AND number > change.number ORDER BY number LIMIT 1
  )
  LEFT JOIN posts post ON post.id = change.post_id`;

const LAST_ID = CompiledQuery.fromText('SELECT max(id) AS "id" FROM post_revisions');
const NEAREST = CompiledQuery.fromText(
  'SELECT id AS "id", at AS "at" FROM post_revisions WHERE id <= :id ORDER BY id DESC LIMIT 1',
);

/** Reads the log of all changes, newest first. */
@Injectable()
export class ChangesRepository {
  readonly #compiled = new Map<string, CompiledQuery>();

  constructor(private readonly database: Database) {}

  async findPage(request: ChangesRequest): Promise<LoggedChange[]> {
    const rows = isIndexed(request.filter)
      ? await this.#read(request, -Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, request.rows)
      : await this.#readThrough(request);
    return rows.map(({ authorKind, authorName, title, ...row }) => ({
      ...row,
      author: { kind: authorKind, name: authorName ?? undefined },
      title: title ?? undefined,
    }));
  }

  /** Looks through the log from end to end, as little of it as it takes, and never much at once. */
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

  /** @param bottom the lowest id @param top what all ids are below */
  #read(
    { filter, backwards, after }: ChangesRequest,
    bottom: number,
    top: number,
    rows: number,
  ): Promise<ChangeRow[]> {
    const [low, high] = backwards
      ? [Math.max(bottom, (after ?? 0) + 1), top]
      : [bottom, Math.min(top, after ?? top)];
    const given = Object.entries(filter).filter(([, value]) => value !== undefined);
    const values = Object.fromEntries(given) as QueryValues;
    return this.database.reader.all<ChangeRow>(this.#query(filter, backwards), {
      ...values,
      low,
      high,
      rows,
    });
  }

  #query(filter: ChangeFilter, backwards: boolean): CompiledQuery {
    const names = (Object.keys(CONDITIONS) as (keyof ChangeFilter)[]).filter(
      (name) => filter[name] !== undefined,
    );
    const conditions = names.map((name) => CONDITIONS[name]);
    if (isRare(filter.action)) conditions.push(RARE_ACTION);
    else if (isNamed(filter)) conditions.push(NAMED_AUTHOR);
    const sql = `${SELECT}
      WHERE ${['change.id >= :low', 'change.id < :high', ...conditions].join(' AND ')}
      ORDER BY change.id ${backwards ? 'ASC' : 'DESC'} LIMIT :rows`;
    let query = this.#compiled.get(sql);
    if (!query) this.#compiled.set(sql, (query = CompiledQuery.fromText(sql)));
    return query;
  }

  /** The ids between which all that the filter lets through must be. */
  async #boundsOf({ from, before }: ChangeFilter): Promise<readonly [number, number]> {
    const [last] = await this.database.reader.all<{ id: number | null }>(LAST_ID);
    const end = (last?.id ?? 0) + 1;
    return [
      from === undefined ? 0 : await this.#firstIdOf(shifted(from, -CLOCK_TOLERANCE_MS), end),
      before === undefined ? end : await this.#firstIdOf(shifted(before, CLOCK_TOLERANCE_MS), end),
    ];
  }

  /** The lowest id of a change of then or later, as far as the dates ascend. */
  async #firstIdOf(at: string, end: number): Promise<number> {
    let [low, high] = [0, end];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const [nearest] = await this.database.reader.all<{ at: string }>(NEAREST, { id: middle });
      if (nearest === undefined || nearest.at < at) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function isIndexed(filter: ChangeFilter): boolean {
  return filter.postId !== undefined || isRare(filter.action) || isNamed(filter);
}

function isRare(action: ChangeAction | undefined): boolean {
  return action !== undefined && action !== 'created' && action !== 'changed';
}

function isNamed({ authorKind, authorName }: ChangeFilter): boolean {
  return authorName !== undefined && authorKind !== undefined && authorKind !== 'api';
}

/** A date in its stored form, so much later. */
function shifted(stored: string, byMs: number): string {
  const moved = toPubDate(Date.parse(stored) + byMs);
  // Beyond the year 9999 it would not sort as it reads.
  return moved.startsWith('+') ? stored : moved;
}
