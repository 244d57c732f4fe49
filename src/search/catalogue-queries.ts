import type { Dialect, Sql, SqlValues } from '../database/index.js';
import { isMatch, searchQueries } from './search-queries.js';
import { parseSearch } from './search-terms.js';
import { isOneOfThese, type PostCondition } from '../posts/lists/list-queries.js';
import { PageStatements, type Query } from '../posts/lists/page-queries.js';
import type { PageRequest } from '../posts/lists/post-selection.js';
import { READ_CHANGES, READ_HORIZON, READ_STATE } from '../posts/posts.sql.js';

/** A statement with values for its plan. */
export interface NamedStatement {
  readonly name: string;
  readonly query: Sql;
  readonly values: SqlValues;
}

const DATE = '2020-03-01T00:00:00.000000Z';
const PAGE = { filter: {}, ordering: '-pub_date', rows: 21, shownRows: 20 } as const;

/** Pages as clients ask for them, by what they ask for. */
const PAGES: Readonly<Record<string, PageRequest>> = {
  'the first page': PAGE,
  'the page after a cursor': { ...PAGE, after: [DATE, 7] },
  'the page before a cursor': { ...PAGE, after: [DATE, 7], backwards: true },
  'a range in its order': { ...PAGE, filter: { pub_date_before: DATE } },
  'by title': { ...PAGE, ordering: 'title' },
  'the fields id and title': { ...PAGE, fields: ['id', 'title'] },
  'offset=10000': { ...PAGE, offset: 10_000 },
  'some ids': { ...PAGE, filter: { id: [7, 8, 9] } },
  'title= in the order of dates': { ...PAGE, filter: { title: 'The same' } },
  'modified_after= in the order of dates': { ...PAGE, filter: { modified_after: DATE } },
  'the same, where few posts match (SQLite)': {
    ...PAGE,
    filter: { modified_after: DATE },
    sortsMatches: true,
  },
};

function named(name: string, query: Sql | undefined, values: SqlValues = {}): NamedStatement[] {
  return query ? [{ name, query, values }] : [];
}

function of(name: string, query: Query<unknown> | undefined): NamedStatement[] {
  return named(name, query?.query, query?.values);
}

/** The statements of lists and of the search, whole, as a database gets them. */
export function statementCatalogue(dialect: Dialect): NamedStatement[] {
  const statements = new PageStatements(dialect);
  const isSqlite = dialect.name === 'sqlite';
  const search = searchQueries(dialect);
  const terms = parseSearch('heron river')!;
  const match = search.matchOf(terms);
  const found = isOneOfThese(dialect, '[7, 8, 9]');
  const matches = isMatch(search.matches, match);
  const collected = isMatch(search.matchesCollected, match);
  const withParts = isMatch(search.matchesCollected, match, found);
  const mayMatch: PostCondition = {
    name: 'may match',
    toSql: () => search.onWalk.condition,
    values: search.onWalk.valuesOf(terms),
  };
  const together = statements.pages(PAGES['a range in its order']!);
  const asked = { pages: JSON.stringify([together.values, together.values]), maxBodyBytes: 199_728 };
  return [
    ...named('state', READ_STATE),
    ...named('changes', READ_CHANGES),
    ...(isSqlite ? [] : named('horizon', READ_HORIZON)),
    ...Object.entries(PAGES).flatMap(([name, page]) =>
      page.sortsMatches && !isSqlite ? [] : of(`page: ${name}`, statements.page(page)),
    ),
    ...named('pages read together: ranges in their order', together.query, asked),
    ...of('count', statements.count({ modified_after: DATE })),
    ...(isSqlite
      ? of('are there few?', statements.areFew(PAGES['modified_after= in the order of dates']!, 10_000))
      : []),
    ...of(
      'search: the next posts of the list',
      statements.page({ ...PAGE, until: [DATE, 7], rows: 128, shownRows: 128 }, mayMatch),
    ),
    ...named('search: few matches', search.find, { match, most: 10_000 }),
    ...of('search: a page of few matches', statements.page(PAGE, found)),
    ...named('search: matches in parts', search.findInParts, { match }),
    ...of('search: a page of many matches', statements.page(PAGE, collected)),
    ...(search.findInParts
      ? of('search: a page of many matches, some in parts', statements.page(PAGE, withParts))
      : []),
    ...(isSqlite ? [] : of('search: a section of an export', statements.page(PAGE, matches))),
    ...of('search: count', statements.count({}, matches)),
    ...named('search index: insert', search.insert, { rows: '[[7, 0, "heron river"]]' }),
    ...named('search index: remove', search.remove, { ids: '[7]' }),
  ];
}
