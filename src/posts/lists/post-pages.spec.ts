import type { CompiledQuery } from '../../database/compiled-query.js';
import type { Queryable, ReaderConnection } from '../../database/database.js';
import { StagedIds } from '../writes/staged-ids.js';
import type { Ordering, SortKeyValues } from './post-ordering.js';
import type { PostPageQueries } from './post-page-queries.js';
import { PostPages } from './post-pages.js';
import type { PageRequest } from './post-selection.js';

const HIDDEN = { first: 10, last: 14 };
/** The ids have gaps, also next to the hidden ones. */
const VISIBLE = [2, 3, 5, 8, 16, 17, 19];

/** A database that returns hidden posts, too. The pages must not query a range with hidden posts. */
function pagesOfAll(): { pages: PostPages; queries: PageRequest[] } {
  const queries: PageRequest[] = [];
  const stagedIds = new StagedIds();
  stagedIds.range = HIDDEN;
  const compiler = { page: (page: PageRequest) => ({ query: page, values: {} }) };
  return { pages: new PostPages(compiler as unknown as PostPageQueries, stagedIds), queries };
}

const ids = [...VISIBLE, 10, 11, 12, 13, 14];

function database(queries: PageRequest[]): Queryable {
  const connection: ReaderConnection = {
    all: <Row>(query: CompiledQuery) => {
      const page = query as unknown as PageRequest;
      queries.push(page);
      return Promise.resolve(stretchOf(ids, page).map((id) => ({ id })) as Row[]);
    },
  };
  return connection as Queryable;
}

function stretchOf(all: readonly number[], page: PageRequest): number[] {
  const goesDown = (page.ordering === '-id') !== (page.backwards ?? false);
  const sign = goesDown ? -1 : 1;
  const [after] = page.after ?? [];
  const [until] = page.until ?? [];
  return all
    .toSorted((a, b) => sign * (a - b))
    .filter((id) => after === undefined || sign * id > sign * Number(after))
    .filter((id) => until === undefined || sign * id < sign * Number(until))
    .slice(0, page.rows);
}

function pageBy(ordering: Ordering, overrides: Partial<PageRequest>): PageRequest {
  return {
    filter: {},
    ordering,
    rows: 3,
    ...overrides,
  };
}

const keys: (SortKeyValues | undefined)[] = [
  undefined,
  [],
  ...[0, 2, 8, 9, 10, 12, 14, 15, 16, 19, 20].map((id) => [id]),
];

describe('PostPages, while ids are hidden', () => {
  it.each(['id', '-id'] as const)('reads all visible posts and no hidden ones, by %s', async (ordering) => {
    const { pages, queries } = pagesOfAll();
    for (const backwards of [false, true]) {
      for (const rows of [1, 3, 4, 5, 100]) {
        for (const after of keys) {
          for (const until of keys) {
            const page = pageBy(ordering, { backwards, rows, after, until });
            const found = await pages.read(page, database(queries));
            expect([page, found.map(({ id }) => id)]).toEqual([page, stretchOf(VISIBLE, page)]);
          }
        }
      }
    }
  });
});
