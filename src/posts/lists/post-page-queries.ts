import { Injectable } from '@nestjs/common';
import type { Repository, SelectQueryBuilder } from 'typeorm';
import { CompiledQuery, type QueryValues } from '../../database/compiled-query.js';
import { Database } from '../../database/database.js';
import type { Dialect } from '../../database/dialect.js';
import { Post } from '../post.entity.js';
import { IS_VISIBLE } from '../writes/staged-ids.js';
import { LIST_FIELDS } from './list-fields.js';
import { sortKey } from './post-ordering.js';
import {
  filtersOf,
  goesDown,
  type PageRequest,
  type PostFilter,
  withRangeAsBounds,
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
@Injectable()
export class PostPageQueries {
  readonly #compiled = new Map<string, CompiledQuery>();
  readonly #posts: Repository<Post>;
  readonly #dialect: Dialect;
  readonly #properties: readonly PostProperty[];

  constructor({ reader, dialect }: Database) {
    this.#posts = reader.manager.getRepository(Post);
    this.#dialect = dialect;
    this.#properties = this.#posts.metadata.columns.map(({ propertyName }) => propertyName as PostProperty);
  }

  /**
   * Selects visible posts. Each row is an object with these properties of the entity.
   *
   * @param maxBodyBytes a number or a parameter; a larger body is null, and `bodyBytes` has its size
   */
  select(properties = this.#properties, maxBodyBytes?: number | ':maxBodyBytes'): SelectQueryBuilder<Post> {
    const builder = this.#posts.createQueryBuilder('post').select([]);
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

  page(request: PageRequest, condition?: PostCondition): BoundQuery {
    const page = withRangeAsBounds(request);
    const { ordering, offset = 0, rows, filter, maxBodyBytes } = page;
    const down = goesDown(page);
    const key = sortKey(ordering);
    // Posts filtered by title share their title, and a database that compares it scans all of them.
    const isShared = filtersOf(filter).some(
      ({ property, operator }) => property === key[0] && operator === '=',
    );
    const bounded = isShared ? (['id'] as const) : key;
    const bounds = Object.entries({ after: page.after ?? [], until: page.until ?? [] }).filter(
      ([, bound]) => bound.length > 0,
    );
    const properties = this.#propertiesToRead(page, key);
    const limitsBodies = maxBodyBytes !== undefined && properties.includes('body');
    const values = {
      ...valuesOf(filter),
      ...condition?.values,
      ...(limitsBodies && { maxBodyBytes }),
      ...Object.fromEntries(
        bounds.flatMap(([name, bound]) =>
          bounded.map((property) => [
            `${name}_${property}`,
            bound[key.findIndex((each) => each === property)]!,
          ]),
        ),
      ),
      rows,
      ...(offset > 0 && { offset }),
    };
    const query = this.#compile(
      [ordering, down, condition?.sql, properties],
      values,
      () => {
        const builder = this.#filtered(
          this.select(properties, limitsBodies ? ':maxBodyBytes' : undefined),
          filter,
        );
        // A row value is compared in the order of the list, and uses the same index.
        const columns = bounded.map((property) => `post.${property}`).join(', ');
        for (const [name] of bounds) {
          const parameters = bounded.map((property) => `:${name}_${property}`).join(', ');
          builder.andWhere(`(${columns}) ${down === (name === 'after') ? '<' : '>'} (${parameters})`);
        }
        if (condition) builder.andWhere(condition.sql);
        for (const property of key) builder.addOrderBy(`post.${property}`, down ? 'DESC' : 'ASC');
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
    const query = this.#compile([name, condition?.sql], values, () => {
      const builder = this.#filtered(build(), filter);
      return condition ? builder.andWhere(condition.sql) : builder;
    });
    return { query, values };
  }

  /** The entity tag needs the id and the version, Atom the time of change, and the cursors the sort key. */
  #propertiesToRead({ fields }: PageRequest, key: readonly PostProperty[]): readonly PostProperty[] {
    if (!fields) return this.#properties;
    const asked = fields.map((field) => LIST_FIELDS[field].property);
    const wanted = new Set<PostProperty>(['id', 'version', 'modified', ...key, ...asked]);
    return this.#properties.filter((property) => wanted.has(property));
  }

  #filtered(builder: SelectQueryBuilder<Post>, filter: PostFilter): SelectQueryBuilder<Post> {
    for (const { name, property, operator } of filtersOf(filter)) {
      // One parameter for any number of values, so that all of them share one query shape.
      const condition = operator === 'in' ? this.#dialect.isOneOf(`:${name}`) : `${operator} :${name}`;
      builder.andWhere(`post.${property} ${condition}`);
    }
    return builder;
  }

  /** @param values their names are a part of the shape, and the parameters of the query */
  #compile(
    shape: readonly unknown[],
    values: QueryValues,
    build: () => SelectQueryBuilder<Post>,
    suffix = '',
  ): CompiledQuery {
    const parameters = Object.keys(values);
    const name = [...shape, parameters].join();
    let query = this.#compiled.get(name);
    if (!query) {
      query = CompiledQuery.from(build(), parameters, suffix);
      if (this.#compiled.size >= MAX_COMPILED) this.#compiled.clear();
      this.#compiled.set(name, query);
    }
    return query;
  }
}

function valuesOf(filter: PostFilter): Record<string, string> {
  return Object.fromEntries(
    filtersOf(filter).map(({ name }) => {
      const value = filter[name]!;
      return [name, typeof value === 'string' ? value : JSON.stringify(value)];
    }),
  );
}
