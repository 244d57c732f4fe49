import type { Repository, SelectQueryBuilder } from 'typeorm';
import { CompiledQuery, type QueryValues } from '../../database/compiled-query.js';
import type { Dialect } from '../../database/dialect.js';
import type { Post } from '../post.entity.js';
import { IS_VISIBLE } from '../writes/staged-ids.js';
import { LIST_FIELDS, type NamedFilter } from './list-fields.js';
import { orderingKey } from './post-ordering.js';
import {
  distinctiveKey,
  filtersOf,
  type PageRequest,
  type PostFilter,
  withoutIdleBounds,
} from './post-selection.js';

/** Larger than most bodies; about the size of ten usual posts. */
export const LARGE_BODY_BYTES = 16_384;

/** An additional SQL condition on posts. */
export interface PostCondition {
  /** Refers to the table `post`, and does not depend on the values. */
  readonly sql: string;
  readonly values: QueryValues;
}

interface BoundQuery {
  readonly query: CompiledQuery;
  readonly values: QueryValues;
}

type PostProperty = keyof Post;

/** More query shapes than one service uses. */
const MAX_COMPILED = 500;

/**
 * Builds the queries of lists. Each shape (ordering, direction, which filters, which fields) is compiled once with
 * TypeORM's query builder and kept; a request only binds its values.
 */
export class PostPageQueries {
  readonly #compiled = new Map<string, CompiledQuery>();
  readonly #properties: readonly PostProperty[];

  constructor(
    private readonly posts: Repository<Post>,
    private readonly dialect: Dialect,
  ) {
    this.#properties = posts.metadata.columns.map(({ propertyName }) => propertyName as PostProperty);
  }

  /** Selects visible posts. Each row is an object with these properties of the entity. */
  select(properties = this.#properties, { leavesOutLargeBodies = false } = {}): SelectQueryBuilder<Post> {
    const builder = this.posts.createQueryBuilder('post').select([]);
    for (const property of properties) {
      const isLeftOut = property === 'body' && leavesOutLargeBodies;
      // The length is stored before the text, so a large text is not read.
      const sql = isLeftOut
        ? `CASE WHEN octet_length(post.body) <= ${LARGE_BODY_BYTES} THEN post.body END`
        : `post.${property}`;
      builder.addSelect(sql, property);
    }
    return builder.where(IS_VISIBLE);
  }

  page(request: PageRequest, condition?: PostCondition): BoundQuery {
    const page = withoutIdleBounds(request);
    const { ordering, backwards, offset, rows, filter, leavesOutLargeBodies = false } = page;
    const after = page.after?.length ? page.after : undefined;
    const until = page.until?.length ? page.until : undefined;
    const { key, descending } = orderingKey(ordering);
    const bounded = distinctiveKey(page);
    const properties = this.#propertiesToRead(page, key);
    const options = [backwards, after !== undefined, until !== undefined, offset > 0, leavesOutLargeBodies];
    const shape = [ordering, ...options, bounded, condition?.sql, properties, shapeOf(filter)].join();
    const values: Record<string, string | number | null> = {
      ...valuesOf(filter),
      ...condition?.values,
      rows,
    };
    if (offset > 0) values['offset'] = offset;
    for (const property of bounded) {
      const index = key.findIndex((each) => each === property);
      if (after) values[`after_${property}`] = after[index]!;
      if (until) values[`until_${property}`] = until[index]!;
    }
    const query = this.#compile(
      shape,
      Object.keys(values),
      () => {
        const builder = this.#filtered(this.select(properties, { leavesOutLargeBodies }), filter);
        const goesDown = descending !== backwards;
        // A row value is compared in the order of the list, and uses the same index.
        const columns = bounded.map((property) => `post.${property}`).join(', ');
        const valuesAt = (place: string): string =>
          bounded.map((property) => `:${place}_${property}`).join(', ');
        if (after) builder.andWhere(`(${columns}) ${goesDown ? '<' : '>'} (${valuesAt('after')})`);
        if (until) builder.andWhere(`(${columns}) ${goesDown ? '>' : '<'} (${valuesAt('until')})`);
        if (condition) builder.andWhere(condition.sql);
        for (const property of key) builder.addOrderBy(`post.${property}`, goesDown ? 'DESC' : 'ASC');
        return builder;
      },
      offset > 0 ? ' LIMIT :rows OFFSET :offset' : ' LIMIT :rows',
    );
    return { query, values };
  }

  /** TypeORM's `findAndCount` counts distinct values of the selection; this query counts rows. */
  count(filter: PostFilter, condition?: PostCondition): BoundQuery {
    return this.#aggregate('count', filter, condition, () => this.select([]).addSelect('count(*)', 'count'));
  }

  /**
   * The number of posts per day; near the ends of a month per second, because the month depends on the time zone there.
   */
  countByDate(filter: PostFilter, condition: PostCondition): BoundQuery {
    const date = `CASE WHEN substr(post.pubDate, 9, 2) BETWEEN '02' AND '27' THEN substr(post.pubDate, 1, 10) ELSE substr(post.pubDate, 1, 19) END`;
    return this.#aggregate('dates', filter, condition, () =>
      this.select([]).addSelect(date, 'date').addSelect('count(*)', 'posts').groupBy(date),
    );
  }

  #aggregate(
    name: string,
    filter: PostFilter,
    condition: PostCondition | undefined,
    build: () => SelectQueryBuilder<Post>,
  ): BoundQuery {
    const values = { ...valuesOf(filter), ...condition?.values };
    const shape = [name, condition?.sql, shapeOf(filter)].join();
    const query = this.#compile(shape, Object.keys(values), () => {
      const builder = this.#filtered(build(), filter);
      return condition ? builder.andWhere(condition.sql) : builder;
    });
    return { query, values };
  }

  /** The entity tag needs the id and the version; the cursors in the links need the sort key. */
  #propertiesToRead({ fields }: PageRequest, key: readonly PostProperty[]): readonly PostProperty[] {
    if (!fields) return this.#properties;
    const wanted = new Set<PostProperty>([
      'id',
      'version',
      ...key,
      ...fields.map((field) => LIST_FIELDS[field].property),
    ]);
    return this.#properties.filter((property) => wanted.has(property));
  }

  #filtered(builder: SelectQueryBuilder<Post>, filter: PostFilter): SelectQueryBuilder<Post> {
    for (const each of filtersOf(filter)) builder.andWhere(this.#conditionOf(each));
    return builder;
  }

  #conditionOf({ name, property, operator }: NamedFilter): string {
    // One parameter for any number of values, so that all of them share one query shape.
    if (operator === 'in') return `post.${property} ${this.dialect.isOneOf(`:${name}`)}`;
    return `post.${property} ${operator} :${name}`;
  }

  #compile(
    shape: string,
    parameters: readonly string[],
    build: () => SelectQueryBuilder<Post>,
    suffix = '',
  ): CompiledQuery {
    let query = this.#compiled.get(shape);
    if (!query) {
      query = CompiledQuery.from(build(), parameters, suffix);
      if (this.#compiled.size >= MAX_COMPILED) this.#compiled.clear();
      this.#compiled.set(shape, query);
    }
    return query;
  }
}

function shapeOf(filter: PostFilter): string {
  return filtersOf(filter)
    .map(({ name }) => name)
    .join();
}

function valuesOf(filter: PostFilter): Record<string, string> {
  return Object.fromEntries(
    filtersOf(filter).map(({ name }) => {
      const value = filter[name]!;
      return [name, typeof value === 'string' ? value : JSON.stringify(value)];
    }),
  );
}
