import type { Dialect, RowStatements, Sql, SqlValues } from '../database/index.js';
import { toNewPost } from './dto/post.dto.js';
import { PageStatements, type Query } from './lists/page-queries.js';
import type { PageRequest } from './lists/post-selection.js';
import { WALK } from './post-documentation.js';
import type { Post } from './post.entity.js';
import { postStatements, READ_CHANGES, READ_HORIZON, READ_STATE } from './posts.sql.js';

/** A statement with values for its plan, for docs/develop/statements.md. */
export interface NamedStatement {
  readonly name: string;
  readonly query: Sql;
  readonly values: SqlValues;
}

export const DATE = '2020-03-01T00:00:00.000000Z';
/** The first page. */
export const PAGE = { filter: {}, ordering: '-pub_date', rows: 21, shownRows: 20 } as const;

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
  'title= in the order of ids, from a post on': {
    ...PAGE,
    filter: { title: 'The same' },
    ordering: 'id',
    after: [7],
  },
  'modified_after= in the order of dates': { ...PAGE, filter: { modified_after: DATE } },
  'the same, where few posts match (SQLite)': {
    ...PAGE,
    filter: { modified_after: DATE },
    inIndexOrder: false,
  },
};

export const POST = { id: WALK.id, ...toNewPost(WALK), version: 2 };

export function named(name: string, query: Sql, values: SqlValues = {}): NamedStatement[] {
  return [{ name, query, values }];
}

export function namedQuery(name: string, { query, values }: Query<unknown>): NamedStatement[] {
  return named(name, query, values);
}

/** The statements of single posts and of lists, whole, as a database gets them. */
export function statementCatalogue(dialect: Dialect): NamedStatement[] {
  return [...statementsOfSinglePosts(postStatements(dialect)), ...statementsOfLists(dialect)];
}

function statementsOfSinglePosts(statements: RowStatements<Post>): NamedStatement[] {
  const { insert, restore, replace } = statements;
  const ids = { ids: '[7, 8]' };
  const rows = { rows: JSON.stringify([POST, { ...POST, id: 8 }]) };
  return [
    ...named('post: read', statements.find, { id: 7 }),
    ...named('posts: read', statements.findSmall, ids),
    ...named('posts: their versions', statements.findVersions, ids),
    ...named('post: lock', statements.lock, { id: 7 }),
    ...named('posts: lock', statements.lockSmall, ids),
    ...named('posts: lock those that are free', statements.lockSmallAndFree, ids),
    ...named('post: insert', insert.one, POST),
    ...named('posts: insert', insert.several, rows),
    ...named('post: insert with its id', restore!.one, POST),
    ...named('posts: insert with their ids', restore!.several, rows),
    ...named('post: replace', replace.one, { ...POST, expected: 1 }),
    ...named('posts: replace', replace.several, { ...rows, expected: 2 }),
    ...named('posts: delete', statements.remove, { ...ids, expected: 2 }),
  ];
}

function statementsOfLists(dialect: Dialect): NamedStatement[] {
  const statements = new PageStatements(dialect);
  const isSqlite = dialect.name === 'sqlite';
  const together = statements.pages(PAGES['a range in its order']!);
  const asked = { pages: JSON.stringify([together.values, together.values]), maxBodyBytes: 199_728 };
  const few = statements.areFew(PAGES['modified_after= in the order of dates']!, 10_000)!;
  return [
    ...named('state', READ_STATE),
    ...named('changes', READ_CHANGES),
    ...(isSqlite ? [] : named('horizon', READ_HORIZON)),
    ...Object.entries(PAGES).flatMap(([name, page]) => {
      const isOfSqliteOnly = page.inIndexOrder === false;
      if (isOfSqliteOnly && !isSqlite) return [];
      return namedQuery(`page: ${name}`, statements.page(page));
    }),
    ...named('pages read together: ranges in their order', together.query, asked),
    ...namedQuery('count', statements.count({ modified_after: DATE })),
    ...(isSqlite ? namedQuery('are there few?', few) : []),
  ];
}
