import { type Dialect, type Sql, sql, type SqlValues } from '../../database/index.js';
import type { Post } from '../post.entity.js';
import {
  areFewPosts,
  countPosts,
  indexedPage,
  indexedPages,
  pageByKeys,
  pageOfChecked,
  type PageParts,
  type PageRow,
} from '../posts.sql.js';
import {
  allOf,
  filterAsRange,
  filterConditions,
  pageConditions,
  type PostCondition,
  sortColumn,
  valuesOf,
  type WriteValue,
} from './list-queries.js';
import { shownFields } from './list-fields.js';
import {
  filtersOf,
  goesDown,
  isInIndexOrder,
  maxBodyBytes,
  type PageRequest,
  type PostFilter,
  sortKey,
} from './post-selection.js';

/** A statement with its values. */
export interface Query<Row> {
  readonly query: Sql<Row>;
  readonly values: SqlValues;
}

/** The values of a page that is read with others, in `:pages`. */
const writeAskedValue: WriteValue = (name, property) =>
  sql.raw(`CAST(asked.value ->> '${name}' AS ${property === 'id' ? 'bigint' : 'text'})`);

/** Statements that are in use. Their texts take longer to write than a page. */
const MAX_STATEMENTS = 1_000;

/** Writes the statements of lists for one database, each once. */
export class PageStatements {
  readonly #known = new Map<string, Sql<PageRow>>();

  constructor(private readonly dialect: Dialect) {}

  /** @param condition also holds for the posts */
  page(page: PageRequest, condition?: PostCondition): Query<PageRow> {
    const conditions = [...pageConditions(this.dialect, page), ...(condition ? [condition] : [])];
    const { offset = 0 } = page;
    const isWalk = isInIndexOrder(page) && offset === 0 && !condition;
    const query = this.#statement(isWalk ? 'walk' : 'keys', page, conditions, () => {
      if (isWalk) return indexedPage(this.dialect, partsOf(this.dialect, page, allOf(conditions)));
      if (page.checkedRows === undefined)
        return pageByKeys(this.dialect, partsOf(this.dialect, page, allOf(conditions)));
      const parts = partsOf(this.dialect, page, allOf(pageConditions(this.dialect, page)));
      const checked = {
        rows: sql.raw(String(page.checkedRows)),
        condition: allOf(condition ? [condition] : []),
      };
      return pageOfChecked(this.dialect, parts, checked);
    });
    return { query, values: { offset, maxBodyBytes: maxBodyBytes(page), ...valuesOf(conditions) } };
  }

  /** For pages that are read together, with the values of this one. Pages of one kind have the same statement. */
  pages(page: PageRequest): Query<PageRow> {
    const conditions = pageConditions(this.dialect, page);
    const query = this.#statement('pages', page, conditions, () =>
      indexedPages(this.dialect, partsOf(this.dialect, page, allOf(conditions, writeAskedValue))),
    );
    return { query, values: valuesOf(conditions) };
  }

  /** Whether few posts match the ranges that are not in the order of the list; undefined without such ranges. */
  areFew({ filter, ordering }: PageRequest, most: number): Query<{ areFew: number }> | undefined {
    const [first] = sortKey(ordering);
    const ranges = filtersOf(filter).filter(
      ({ property, operator }) => (operator === '>=' || operator === '<') && property !== first,
    );
    if (ranges.length === 0) return undefined;
    const where = filterConditions(this.dialect, filter, ranges);
    return { query: areFewPosts(allOf(where)), values: { most, ...valuesOf(where) } };
  }

  count(filter: PostFilter, condition?: PostCondition): Query<{ count: number }> {
    const where = [...filterConditions(this.dialect, filter), ...(condition ? [condition] : [])];
    return { query: countPosts(allOf(where)), values: valuesOf(where) };
  }

  #statement(
    form: 'walk' | 'keys' | 'pages',
    page: PageRequest,
    conditions: readonly PostCondition[],
    write: () => Sql<PageRow>,
  ): Sql<PageRow> {
    const name = `${form} ${kindOf(page, conditions)}`;
    let statement = this.#known.get(name);
    if (!statement) {
      if (this.#known.size >= MAX_STATEMENTS) this.#known.clear();
      statement = write();
      this.#known.set(name, statement);
    }
    return statement;
  }
}

/** All on which the text of a statement depends. */
function kindOf(page: PageRequest, conditions: readonly PostCondition[]): string {
  const {
    ordering,
    backwards = false,
    rows,
    shownRows = rows,
    fields = [],
    separator,
    inIndexOrder,
    checkedRows,
  } = page;
  const names = conditions.map(({ name }) => name);
  return [
    ordering,
    backwards,
    rows,
    shownRows,
    separator,
    inIndexOrder,
    checkedRows,
    fields.join('+'),
    ...names,
  ].join();
}

function partsOf(dialect: Dialect, page: PageRequest, where: Sql): PageParts {
  const { ordering, rows, shownRows = rows, separator = ',' } = page;
  const key = sortKey(ordering);
  const asRange = filterAsRange(dialect, page);
  const columns = asRange ? ([asRange.property, 'id'] as const) : key;
  const isDown = goesDown(page);
  const orderOf = (direction: 'ASC' | 'DESC'): Sql =>
    sql.joined(
      columns.map((property) => sql`${sortColumn(dialect, page, property)} ${sql.raw(direction)}`),
      ', ',
    );
  return {
    where,
    order: orderOf(isDown ? 'DESC' : 'ASC'),
    listOrder: page.backwards ? orderOf(isDown ? 'ASC' : 'DESC') : undefined,
    inIndexOrder: page.inIndexOrder,
    sorted: key[0] === 'id' ? undefined : (key[0] satisfies keyof Post),
    fields: shownFields(page.fields),
    // PostgreSQL plans a statement once for all values only when it knows how few rows are read.
    rows: sql.raw(String(rows)),
    shownRows: sql.raw(String(shownRows)),
    findsNext: shownRows < rows,
    separator,
  };
}
