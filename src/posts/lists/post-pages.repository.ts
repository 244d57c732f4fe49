import { Injectable } from '@nestjs/common';
import type { SelectQueryBuilder } from 'typeorm';
import { CompiledQuery, type QueryValues } from '../../database/compiled-query.js';
import { Database, type Queryable } from '../../database/database.js';
import { type IdRange, IS_VISIBLE } from '../post-collection.entity.js';
import { Post } from '../post.entity.js';
import { POST_FIELDS, propertyOf } from './list-fields.js';
import { sortKey } from './post-ordering.js';
import { PostSearch, type SearchReader, type Slowly } from './post-search.js';
import {
  filtersOf,
  goesDown,
  narrowed,
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
  readonly sql: string;
  readonly values: QueryValues;
}

interface BoundQuery {
  readonly query: CompiledQuery;
  readonly values: QueryValues;
}

type PostProperty = keyof Post;

/** Read with every post: the entity tag needs the id and the version, and Atom the time of change. */
const ALWAYS_READ: readonly PostProperty[] = ['id', 'version', 'modified'];
const PROPERTIES = [...new Set([...ALWAYS_READ, ...POST_FIELDS.map(propertyOf)])];

/** More query shapes than one service uses. */
const MAX_COMPILED = 500;

/** Near the ends of a month, the month depends on the time zone. */
const DATE = `CASE WHEN substr(post.pubDate, 9, 2) BETWEEN '02' AND '27' THEN substr(post.pubDate, 1, 10) ELSE substr(post.pubDate, 1, 19) END`;

/**
 * Selects visible posts. Each row is an object with these properties of the entity.
 *
 * @param maxBodyBytes a number or a parameter; a larger body is null, and `bodyBytes` has its size
 */
export function selectPosts(
  { reader }: Database,
  properties = PROPERTIES,
  maxBodyBytes?: number | ':maxBodyBytes',
): SelectQueryBuilder<Post> {
  const builder = reader.manager.createQueryBuilder(Post, 'post').select([]);
  for (const property of properties) {
    if (property !== 'body' || maxBodyBytes === undefined) {
      builder.addSelect(`post.${property}`, property);
      continue;
    }
    // The length is stored before the text, so a large text is not read.
    const bytes = 'octet_length(post.body)';
    builder
      .addSelect(`CASE WHEN ${bytes} <= ${maxBodyBytes} THEN post.body END`, 'body')
      .addSelect(bytes, 'bodyBytes');
  }
  return builder.where(IS_VISIBLE);
}

/**
 * The ids that an import currently stages, which the database keeps hidden. Walks by id leave them out all at once, so it
 * must be undefined before the posts become visible.
 */
@Injectable()
export class StagedIds {
  range: IdRange | undefined;
}

/**
 * Reads and counts sections of ordered lists. Each shape of a query (ordering, direction, which filters, which fields)
 * is compiled once with TypeORM's query builder and kept; a request only binds its values.
 */
@Injectable()
export class PostPagesRepository {
  readonly #compiled = new Map<string, CompiledQuery>();

  constructor(
    private readonly database: Database,
    private readonly stagedIds: StagedIds,
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

  /**
   * While an import stages posts, a walk by id skips their range; otherwise it would examine each staged post. (By date
   * or title, staged posts are scattered among the others and are skipped within the index: 50 ns each.)
   */
  async #read(page: PageRequest, within: Queryable, condition?: PostCondition): Promise<ListedPost[]> {
    const { range } = this.stagedIds;
    const read = (section: PageRequest): Promise<ListedPost[]> => {
      const { query, values } = this.page(section, condition);
      return within.all(query, values);
    };
    if (!range || page.offset || sortKey(page.ordering)[0] !== 'id') return read(page);
    // The ids at the edges are staged themselves, so neither query misses a post.
    const [near, far] = goesDown(page) ? [range.last, range.first] : [range.first, range.last];
    const before = await read(narrowed(page, undefined, [near]));
    const rows = page.rows - before.length;
    if (rows === 0) return before;
    return before.concat(await read({ ...narrowed(page, [far]), rows }));
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
    const select = (): SelectQueryBuilder<Post> => {
      const builder = selectPosts(this.database, properties, limitsBodies ? ':maxBodyBytes' : undefined);
      for (const property of key) builder.addOrderBy(`post.${property}`, down ? 'DESC' : 'ASC');
      return builder;
    };
    const name = [ordering, down, limitsBodies, properties].join();
    const where = [...this.#filters(page.filter), ...boundsOf(page), ...(condition ? [condition] : [])];
    const suffix = offset > 0 ? ' LIMIT :rows OFFSET :offset' : ' LIMIT :rows';
    return this.#bind(name, select, where, values, suffix);
  }

  /** Counts the matching posts, one by one. */
  async count(filter: PostFilter, within: Queryable = this.database.reader): Promise<number> {
    // TypeORM's `findAndCount` counts distinct values of the selection.
    const select = () => selectPosts(this.database, []).addSelect('count(*)', 'count');
    const { query, values } = this.#bind('count', select, this.#conditions(filter));
    return (await within.all<{ count: number }>(query, values))[0]!.count;
  }

  /** Counts the matching posts by date, in no order. */
  countByDate(filter: PostFilter, within: Queryable): Promise<DateCount[]> {
    const select = () =>
      selectPosts(this.database, []).addSelect(DATE, 'date').addSelect('count(*)', 'posts').groupBy(DATE);
    const { query, values } = this.#bind('dates', select, this.#conditions(filter));
    return within.all(query, values);
  }

  /** The beginnings of the bodies by post id; ids without a post are left out. */
  async findBeginnings(ids: readonly number[], codePoints: number): Promise<Map<number, string>> {
    const rows = await selectPosts(this.database, ['id'])
      .addSelect('substr(post.body, 1, :codePoints)', 'beginning')
      .andWhere(`post.id ${this.database.dialect.isOneOf(':ids')}`)
      .setParameters({ ids: JSON.stringify(ids), codePoints })
      .getRawMany<{ id: number; beginning: string }>();
    return new Map(rows.map(({ id, beginning }) => [id, beginning]));
  }

  #conditions(filter: PostFilter): PostCondition[] {
    const filters = this.#filters(filter);
    return filter.search === undefined ? filters : [...filters, this.search.condition(filter.search)];
  }

  #filters(filter: PostFilter): PostCondition[] {
    return filtersOf(filter).map(({ name, property, operator }) => {
      const value = filter[name]!;
      // One parameter for any number of values, so that all of them share one query shape.
      const condition =
        operator === 'in' ? this.database.dialect.isOneOf(`:${name}`) : `${operator} :${name}`;
      return {
        sql: `post.${property} ${condition}`,
        values: { [name]: typeof value === 'string' ? value : JSON.stringify(value) },
      };
    });
  }

  /** @param name identifies what `select` builds @param suffix ends the query */
  #bind(
    name: string,
    select: () => SelectQueryBuilder<Post>,
    conditions: readonly PostCondition[],
    others: QueryValues = {},
    suffix = '',
  ): BoundQuery {
    const values: QueryValues = Object.assign({}, ...conditions.map((each) => each.values), others);
    const shape = [name, ...conditions.map(({ sql }) => sql), suffix].join();
    let query = this.#compiled.get(shape);
    if (!query) {
      const builder = select();
      for (const { sql } of conditions) builder.andWhere(sql);
      query = CompiledQuery.from(builder, Object.keys(values), suffix);
      if (this.#compiled.size >= MAX_COMPILED) this.#compiled.clear();
      this.#compiled.set(shape, query);
    }
    return { query, values };
  }
}

/** The start and the end of a section. A row value is compared in the order of the list, and uses the same index. */
function boundsOf(page: PageRequest): PostCondition[] {
  const key = sortKey(page.ordering);
  // Posts filtered by title share their title, and a database that compares it scans all of them.
  const isShared = filtersOf(page.filter).some(
    ({ property, operator }) => property === key[0] && operator === '=',
  );
  const bounded = isShared ? (['id'] as const) : key;
  const columns = bounded.map((property) => `post.${property}`).join(', ');
  return (['after', 'until'] as const).flatMap((name) => {
    const bound = page[name] ?? [];
    if (bound.length === 0) return [];
    const values = bounded.map((property) => [
      `${name}_${property}`,
      bound[key.findIndex((each) => each === property)]!,
    ]);
    const parameters = values.map(([parameter]) => `:${parameter}`).join(', ');
    const sign = goesDown(page) === (name === 'after') ? '<' : '>';
    return [
      { sql: `(${columns}) ${sign} (${parameters})`, values: Object.fromEntries(values) as QueryValues },
    ];
  });
}
