import { Injectable } from '@nestjs/common';
import { Database, type Queryable } from '../../database/database.js';
import { columnOf, joined, raw, type Sql, sql, type SqlValues } from '../../database/sql.js';
import { Post } from '../post.entity.js';
import { POST_FIELDS, propertyOf } from './list-fields.js';
import { sortKey } from './post-ordering.js';
import { PostSearch, type SearchReader, type Slowly } from './post-search.js';
import {
  filtersOf,
  goesDown,
  type PageRequest,
  type PostFilter,
  withRangeAsBounds,
} from './post-selection.js';

/** Larger than most bodies; about the size of ten usual posts. */
export const LARGE_BODY_BYTES = 16_384;

/** A post of a page: the fields that were read. */
export type ListedPost = Partial<Omit<Post, 'body'>> &
  Pick<Post, 'id' | 'version' | 'modified'> & {
    /** Null when it is larger than the page's `maxBodyBytes`. */
    readonly body?: string | null;
    readonly bodyBytes?: number;
  };

/** The number of posts with a date: a day (`2026-11-20`), or a second near the ends of a month. */
interface DateCount {
  readonly date: string;
  readonly posts: number;
}

/** An SQL condition on posts. The text refers to the table `post`, and does not depend on the values. */
export interface PostCondition {
  readonly sql: Sql;
  readonly values: SqlValues;
}

interface BoundQuery {
  readonly query: Sql;
  readonly values: SqlValues;
}

type PostProperty = keyof Post;

/** Read with every post: the entity tag needs the id and the version, and Atom the time of change. */
const ALWAYS_READ: readonly PostProperty[] = ['id', 'version', 'modified'];
const PROPERTIES = [...new Set([...ALWAYS_READ, ...POST_FIELDS.map(propertyOf)])];

/** Near the ends of a month, the month depends on the time zone. */
const DATE = sql`CASE WHEN substr(post.pub_date, 9, 2) BETWEEN '02' AND '27' THEN substr(post.pub_date, 1, 10) ELSE substr(post.pub_date, 1, 19) END`;

/**
 * Selects visible posts; conditions may follow. Each row is an object with these properties of the entity.
 *
 * @param maxBodyBytes a number or a value; a larger body is null, and `bodyBytes` has its size
 */
export function selectPosts(
  properties: readonly PostProperty[] = PROPERTIES,
  maxBodyBytes?: number | ':maxBodyBytes',
): Sql {
  const most = typeof maxBodyBytes === 'number' ? raw(String(maxBodyBytes)) : maxBodyBytes;
  const columns = properties.map((property) => {
    const column = raw(`${columnIn(property)} AS "${property}"`);
    // The length is stored before the text, so a large text is not read.
    return property === 'body' && most !== undefined
      ? sql`CASE WHEN octet_length(post.body) <= ${most} THEN post.body END AS "body", octet_length(post.body) AS "bodyBytes"`
      : column;
  });
  return postsWith(joined(columns, ', '));
}

function postsWith(columns: Sql): Sql {
  return sql`SELECT ${columns} FROM posts post WHERE TRUE`;
}

function columnIn(property: PostProperty): string {
  return `post.${columnOf(Post, property)}`;
}

/** Reads and counts sections of ordered lists. */
@Injectable()
export class PostPagesRepository {
  constructor(
    private readonly database: Database,
    private readonly search: PostSearch,
  ) {}

  /**
   * The posts of a page, in its order. Reads only the requested fields, the id, the version, the time of change and the
   * sort key.
   *
   * @param slowly runs a query that turns out to be slow
   */
  findPage(
    page: PageRequest,
    within: Queryable = this.database.reader,
    slowly: Slowly = (work) => work(within),
  ): Promise<ListedPost[]> {
    const { search } = page.filter;
    if (search === undefined) return this.#read(page, within);
    const read: SearchReader['read'] = (...section) => this.#read(...section);
    return this.search.find(search, page, { within, slowly, read });
  }

  #read(request: PageRequest, within: Queryable, condition?: PostCondition): Promise<ListedPost[]> {
    const { query, values } = this.page(request, condition);
    return within.all(query, values);
  }

  /** The query of a page. */
  page(request: PageRequest, condition?: PostCondition): BoundQuery {
    const page = withRangeAsBounds(request);
    const { ordering, offset = 0, rows, maxBodyBytes } = page;
    const down = goesDown(page);
    const key = sortKey(ordering);
    const asked = (page.fields ?? POST_FIELDS).map(propertyOf);
    // The cursors need the sort key.
    const properties = [...new Set([...ALWAYS_READ, ...key, ...asked])].toSorted();
    const limitsBodies = maxBodyBytes !== undefined && properties.includes('body');
    const values: Record<string, number> = { rows };
    if (limitsBodies) values['maxBodyBytes'] = maxBodyBytes;
    if (offset > 0) values['offset'] = offset;
    const select = selectPosts(properties, limitsBodies ? ':maxBodyBytes' : undefined);
    const order = key.map((property) => `${columnIn(property)} ${down ? 'DESC' : 'ASC'}`).join(', ');
    const where = [...this.#filters(page.filter), ...boundsOf(page), ...(condition ? [condition] : [])];
    const end = offset > 0 ? sql`LIMIT ${':rows'} OFFSET ${':offset'}` : sql`LIMIT ${':rows'}`;
    const query = sql`${select}${andAll(where)} ORDER BY ${raw(order)} ${end}`;
    return { query, values: Object.assign(values, valuesOf(where)) };
  }

  /** Counts the matching posts, one by one. */
  async count(filter: PostFilter, within: Queryable = this.database.reader): Promise<number> {
    const where = this.#conditions(filter);
    const query = sql`${postsWith(raw('count(*) AS "count"'))}${andAll(where)}`;
    return (await within.all<{ count: number }>(query, valuesOf(where)))[0]!.count;
  }

  /** Counts the matching posts by date, in no order. */
  countByDate(filter: PostFilter, within: Queryable): Promise<DateCount[]> {
    const where = this.#conditions(filter);
    const columns = sql`${DATE} AS "date", count(*) AS "posts"`;
    return within.all(sql`${postsWith(columns)}${andAll(where)} GROUP BY 1`, valuesOf(where));
  }

  /** The beginnings of the bodies by post id; ids without a post are left out. */
  async findBeginnings(ids: readonly number[], codePoints: number): Promise<Map<number, string>> {
    const columns = sql`post.id AS "id", substr(post.body, 1, ${':codePoints'}) AS "beginning"`;
    const query = sql`${postsWith(columns)} AND post.id ${this.database.dialect.isOneOf(':ids')}`;
    const rows = await this.database.reader.all<{ id: number; beginning: string }>(query, {
      ids: JSON.stringify(ids),
      codePoints,
    });
    return new Map(rows.map(({ id, beginning }) => [id, beginning]));
  }

  #conditions(filter: PostFilter): PostCondition[] {
    const filters = this.#filters(filter);
    return filter.search === undefined ? filters : [...filters, this.search.condition(filter.search)];
  }

  #filters(filter: PostFilter): PostCondition[] {
    return filtersOf(filter).map(({ name, property, operator }) => {
      const value = filter[name]!;
      const column = raw(columnIn(property));
      // One value for any number of ids, so that all of them share one statement.
      const condition =
        operator === 'in'
          ? sql`${column} ${this.database.dialect.isOneOf(`:${name}`)}`
          : sql`${column} ${raw(operator)} ${`:${name}`}`;
      const stored = typeof value === 'string' ? value : JSON.stringify(value);
      return { sql: condition, values: { [name]: stored } };
    });
  }
}

/** The end of a WHERE clause. */
function andAll(conditions: readonly PostCondition[]): Sql {
  return joined([raw(''), ...conditions.map((each) => each.sql)], ' AND ');
}

function valuesOf(conditions: readonly PostCondition[]): SqlValues {
  return Object.assign({}, ...conditions.map(({ values }) => values)) as SqlValues;
}

/** The start and the end of a section. A row value is compared in the order of the list, and uses the same index. */
function boundsOf(page: PageRequest): PostCondition[] {
  const key = sortKey(page.ordering);
  // Posts filtered by title share their title, and a database that compares it scans all of them.
  const isShared = filtersOf(page.filter).some(
    ({ property, operator }) => property === key[0] && operator === '=',
  );
  const bounded = isShared ? (['id'] as const) : key;
  const columns = raw(bounded.map(columnIn).join(', '));
  return (['after', 'until'] as const).flatMap((name) => {
    const bound = page[name] ?? [];
    if (bound.length === 0) return [];
    const values = bounded.map(
      (property) => [`${name}_${property}`, bound[key.findIndex((each) => each === property)]!] as const,
    );
    const names = values.map(([parameter]) => sql`${`:${parameter}`}`);
    const sign = goesDown(page) === (name === 'after') ? '<' : '>';
    return [
      { sql: sql`(${columns}) ${raw(sign)} (${joined(names, ', ')})`, values: Object.fromEntries(values) },
    ];
  });
}
