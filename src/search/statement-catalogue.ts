import type { Dialect } from '../database/index.js';
import { isOneOfThese, type PostCondition } from '../posts/lists/list-queries.js';
import { PageStatements } from '../posts/lists/page-queries.js';
import { DATE, named, namedQuery, type NamedStatement, PAGE } from '../posts/statement-catalogue.js';
import { isCollectedMatch, isMatch, searchQueries } from './search-queries.js';
import { parseSearch } from './search-terms.js';

/** Fills the index for the plans, with words as if they were those of the posts, some of them in parts. */
export const rowsForPlans: Readonly<Record<Dialect['name'], readonly string[]>> = {
  sqlite: [
    `INSERT INTO posts_search (rowid, words) SELECT id, 'post number river word' || id ||
      CASE WHEN id % 3 = 0 THEN ' heron' ELSE '' END FROM posts`,
  ],
  postgres: [
    `INSERT INTO posts_search (post_id, part, words) SELECT id, 0, array_to_tsvector(
      ARRAY['post', 'number', 'river', 'word' || id] || CASE WHEN id % 3 = 0 THEN ARRAY['heron'] ELSE ARRAY[]::text[] END)
      FROM posts`,
    `INSERT INTO posts_search (post_id, part, words)
      SELECT id, 1, array_to_tsvector(ARRAY['part', 'river', 'word' || id]) FROM posts WHERE id % 10000 = 0`,
  ],
};

/** The statements of the search, whole, as a database gets them. */
export function statementCatalogue(dialect: Dialect): NamedStatement[] {
  const statements = new PageStatements(dialect);
  const search = searchQueries(dialect);
  const terms = parseSearch('heron river')!;
  const match = search.matchOf(terms);
  const found = isOneOfThese(dialect, '[7, 8, 9]');
  const matches = isMatch(search, match);
  const withParts = isMatch(search, match, '[7, 8, 9]');
  const sorted = search.sortsUnordered ? ({ ...PAGE, inIndexOrder: false } as const) : PAGE;
  const mayMatch: PostCondition = {
    name: 'may match',
    toSql: () => search.onWalk.condition,
    values: search.onWalk.valuesOf(terms),
  };
  const stretch = { ...PAGE, until: ['2020-07-26T12:00:00.000000Z', 7], rows: 128, shownRows: 128 } as const;
  const unordered = {
    ...PAGE,
    filter: { modified_after: DATE },
    checkedRows: 1_000,
    rows: 128,
    shownRows: 128,
  };
  return [
    ...namedQuery('search: the next posts of the list', statements.page(stretch, mayMatch)),
    ...named('search: few matches', search.find, { match, most: 10_000 }),
    ...namedQuery('search: a page of few matches', statements.page(PAGE, found)),
    ...namedQuery('search: a page of many matches', statements.page(sorted, matches)),
    ...namedQuery(
      'search: those of the next posts, not in the order of an index',
      statements.page(unordered, mayMatch),
    ),
    ...(search.inParts
      ? [
          ...namedQuery(
            'search: a page of many matches, in the order of an index',
            statements.page(PAGE, isCollectedMatch(search, matches)),
          ),
          ...named('search: matches in parts', search.inParts.find, { match }),
          ...namedQuery('search: a page of many matches, some in parts', statements.page(sorted, withParts)),
          ...namedQuery('search: a section of an export', statements.page(PAGE, matches)),
        ]
      : []),
    ...named('search: count', search.count, { match }),
    ...namedQuery(
      'search: count of those that were changed since',
      statements.count({ modified_after: DATE }, matches),
    ),
    ...named('search index: insert', search.insert, { rows: '[[7, 0, "heron river"]]' }),
    ...named('search index: remove', search.remove, { ids: '[7]' }),
  ];
}
