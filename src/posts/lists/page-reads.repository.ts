import { Batches, Database, type Dialect, type Outcomes, raw, type Sql, sql } from '../../database/index.js';
import {
  allOf,
  pageConditions,
  type PageRow,
  readPage,
  unimpliedFilters,
  valuesOf,
  writePage,
  type WriteValue,
} from './list-queries.js';
import type { ListedPosts } from './listed-post.js';
import { goesDown, isIndexed, maxBodyBytes, type PageRequest } from './post-selection.js';
import { READ_STATE } from '../posts-state.repository.js';

/** More than most posts have, so that few batches of pages are longer than a batch should be. */
const POST_LENGTH = 4_096;
/** While one batch is read, the pages of the other are converted. */
const MAX_RUNNING_READS = 2;

/** Whether a page is read together with others: the one plan of its statement is the best one for all values. */
function isUsual(page: PageRequest): boolean {
  const { filter, fields, offset = 0 } = page;
  return !fields && offset === 0 && !filter.id && filter.search === undefined && isIndexed(page);
}

/**
 * Reads pages of committed data. The usual ones that are asked for at the same time are read together: measured with 64
 * connections, a page takes two thirds of the time of one that is read alone. A client that asks for many large pages
 * delays the others by few of them.
 */
export class PageReads extends Batches<PageRequest, ListedPosts> {
  constructor(
    private readonly database: Database,
    private readonly readAlone: (page: PageRequest) => Promise<ListedPosts>,
  ) {
    super({
      maxRunning: MAX_RUNNING_READS,
      takesTurns: true,
      run: (take) => this.#read(take()),
    });
  }

  find(page: PageRequest): Promise<ListedPosts> {
    const length = isUsual(page) ? page.rows * POST_LENGTH : Infinity;
    return this.add(page, { client: page.client, length });
  }

  async #read(pages: readonly PageRequest[]): Promise<Outcomes<ListedPosts>> {
    if (!isUsual(pages[0]!)) return [{ result: await this.readAlone(pages[0]!) }];
    const { dialect, reader } = this.database;
    const found = new Map<PageRequest, ListedPosts>();
    const statements = pages.map((page) => statementOf(dialect, page));
    const read = async (statement: Sql<PageRow>): Promise<void> => {
      const together = pages.filter((_, index) => statements[index] === statement);
      const values = together.map((page) => valuesOf(pageConditions(dialect, page)));
      const rows = await reader.all(statement, {
        pages: JSON.stringify(values),
        maxBodyBytes: maxBodyBytes(together[0]!),
      });
      for (const [index, row] of rows.entries()) found.set(together[index]!, readPage(row));
    };
    await Promise.all([...new Set(statements)].map(read));
    return pages.map((page) => ({ result: found.get(page)! }));
  }
}

const writeAskedValue: WriteValue = (name, property) =>
  raw(`CAST(asked.value ->> '${name}' AS ${property === 'id' ? 'bigint' : 'text'})`);

/** The statements by what their texts depend on. They are long. */
const STATEMENTS = new Map<string, Sql<PageRow>>();
const MAX_STATEMENTS = 1_000;

/**
 * A statement that reads any number of pages, a page a row. `:pages` is a JSON array of the values of each page.
 *
 * PostgreSQL plans a statement once for all values only when it knows how few rows are read, so the limit is a part of the
 * text. (Planning takes longer than reading a page.)
 */
function statementOf(dialect: Dialect, page: PageRequest): Sql<PageRow> {
  const { ordering, rows, after = [], until = [] } = page;
  const names = unimpliedFilters(page).map(({ name }) => name);
  const bounds = [after.length > 0, until.length > 0];
  const shape = [dialect.name, ordering, goesDown(page), ...bounds, rows, ...names].join();
  const known = STATEMENTS.get(shape);
  if (known) return known;
  const where = allOf(pageConditions(dialect, page), writeAskedValue);
  const text = writePage(dialect, page, where, raw(`LIMIT ${rows}`));
  const statement = sql<PageRow>`SELECT state.*, ${text} AS "page"
    FROM (${READ_STATE}) AS state, ${dialect.elementsOf(':pages')} AS asked`;
  if (STATEMENTS.size >= MAX_STATEMENTS) STATEMENTS.clear();
  STATEMENTS.set(shape, statement);
  return statement;
}
