import { DataSource } from 'typeorm';
import { comparePostgresSchema } from '../database/postgres/compare-schema.js';
import { SqliteConnection } from '../database/sqlite/sqlite-connection.js';
import { verifySqliteFile } from '../database/sqlite/verify-sqlite-file.js';
import { titleKey } from '../posts/folded-text.js';
import { TERMS_VERSION } from '../search/fold.js';
import { termsOfPost } from '../search/post-terms.js';
import type { Settings } from '../settings/settings.js';
import { assertUnchanged } from './backup-checksum.js';
import { settingsOfExisting } from './command-context.js';
import type { Command } from './command.js';
import { withPostgres } from './maintenance.js';

/** Reads the whole database and reports its faults. */
export const check: Command = {
  name: 'check',
  usage: '',
  summary:
    'Verify the whole database and report its faults: damaged pages (SQLite), a schema that differs from the migrations, a ' +
    'search index or counters that do not match the posts. It changes nothing, and the service may run.',

  async run(_args, print) {
    const settings = settingsOfExisting();
    const { database } = settings;
    const { faults, isIndexed } = await (database.kind === 'sqlite'
      ? checkSqlite(database.path)
      : checkPostgres(settings));
    if (faults.length > 0) throw new Error(faults.join('\n'));
    print('The database is sound.');
    if (!isIndexed) print('It has no current search index; the service makes it when it starts.');
  },
};

/** What `check` has found, and whether the search index is of this version. */
interface Findings {
  readonly faults: readonly string[];
  readonly isIndexed: boolean;
}

type Query = <Row>(sql: string) => Promise<Row[]>;

/** Opens the file itself, because the application context would run missing migrations before the file is verified. */
async function checkSqlite(path: string): Promise<Findings> {
  await assertUnchanged(path);
  await verifySqliteFile(path);
  const handle = await SqliteConnection.open(path);
  try {
    for (const sql of [SQLITE_INDEX.terms, 'PRAGMA query_only = ON', 'BEGIN']) await handle.execute(sql);
    return await findFaults(SQLITE_INDEX, (sql) => handle.query(sql));
  } finally {
    await handle.close();
  }
}

function checkPostgres(settings: Settings): Promise<Findings> {
  return withPostgres(settings, async (context) => {
    const dataSource = context.get(DataSource);
    const differences = await comparePostgresSchema(dataSource);
    return dataSource.transaction('REPEATABLE READ', async (manager) => {
      const { faults, isIndexed } = await findFaults(POSTGRES_INDEX, (sql) => manager.query(sql));
      return { faults: [...differences, ...faults], isIndexed };
    });
  });
}

/** How the search index is read. */
interface Index {
  /** Selects the ids of the indexed posts. */
  readonly ids: string;
  /**
   * A number for each post from the terms that the index holds for it: their count, and a sum over their lengths and
   * some of their characters. Texts with other words rarely have the same number.
   */
  readonly signatures: string;
}

const SQLITE_INDEX = {
  ids: 'SELECT id FROM posts_search_docsize',
  /** Gives the terms of the index as rows. It must run before the connection becomes read-only. */
  terms: `CREATE VIRTUAL TABLE temp.posts_search_terms USING fts5vocab('main', 'posts_search', 'instance')`,
  signatures: `
    SELECT doc AS id, count(*) AS terms,
      sum(length(term) * 1000003 + unicode(term) * 8191 + unicode(substr(term, length(term))) * 131) AS sum
    FROM temp.posts_search_terms GROUP BY doc`,
};

const POSTGRES_INDEX: Index = {
  ids: 'SELECT DISTINCT post_id AS id FROM posts_search',
  signatures: `
    SELECT post_id AS id, count(*) AS terms,
      sum(length(term) * 1000003 + ascii(term) * 8191 + ascii(right(term, 1)) * 131) AS sum
    FROM (SELECT DISTINCT post_id, unnest(tsvector_to_array(words)) AS term FROM posts_search) AS terms
    GROUP BY post_id`,
};

/** The ids that an import has staged. */
const HIDDEN = 'BETWEEN (SELECT hidden_from FROM posts_state) AND (SELECT hidden_to FROM posts_state)';

/** @param query reads one state of the database */
async function findFaults(index: Index, query: Query): Promise<Findings> {
  const count = async (sql: string): Promise<number> => {
    const [row] = await query<{ count: number | string }>(`SELECT ${sql} AS count`);
    return Number(row!.count);
  };
  const [state] = await query<{ version: string }>('SELECT search_version AS version FROM posts_state');
  const isIndexed = state?.version === TERMS_VERSION;
  const visible = `FROM posts WHERE id NOT ${HIDDEN}`;
  const entries = `FROM (${index.ids}) AS entry WHERE id NOT ${HIDDEN}`;
  const faults: string[] = [];
  if (isIndexed) {
    const missing = await count(`(SELECT count(*) ${visible} AND id NOT IN (${index.ids}))`);
    const extra = await count(`(SELECT count(*) ${entries} AND id NOT IN (SELECT id FROM posts))`);
    const counts = {
      'are missing from the search index': missing,
      'in the search index do not exist': extra,
      'have other words than the search index has for them, or another title than they are sorted by':
        await countUnfitEntries(index, query),
    };
    for (const [fault, posts] of Object.entries(counts))
      if (posts > 0) faults.push(`${posts} posts ${fault}: run the command reindex.`);
  }
  const difference = await count(`(SELECT sum(posts) FROM posts_counters) - (SELECT count(*) ${visible})`);
  if (difference !== 0) faults.push(`The counters of posts are wrong by ${difference}.`);
  return { faults, isIndexed };
}

/** Posts whose bodies are in memory together. */
const BATCH_ROWS = 500;

/** Counts the posts whose entry in the search index, or sort key, does not fit their texts. A missing entry is another fault. */
async function countUnfitEntries({ signatures }: Index, query: Query): Promise<number> {
  const indexed = new Map<number, string>();
  type Signature = Record<'id' | 'terms' | 'sum', number | string>;
  for (const { id, terms, sum } of await query<Signature>(signatures))
    indexed.set(Number(id), `${terms} ${sum}`);
  let unfit = 0;
  for (let after = 0; ;) {
    const posts = await query<{ id: number | string; title: string; key: string; body: string }>(
      `SELECT id, title, title_key AS key, body FROM posts WHERE id > ${after} AND id NOT ${HIDDEN} ORDER BY id LIMIT ${BATCH_ROWS}`,
    );
    for (const { id, title, key, body } of posts) {
      const entry = indexed.get(Number(id));
      if (entry === undefined) continue;
      if (key !== titleKey(title) || entry !== (await signatureOf(title, body))) unfit += 1;
    }
    if (posts.length < BATCH_ROWS) return unfit;
    after = Number(posts.at(-1)!.id);
  }
}

async function signatureOf(title: string, body: string): Promise<string> {
  const terms = await termsOfPost({ title, body });
  let sum = 0;
  for (const term of terms) {
    const characters = Array.from(term);
    const [first, last] = [characters[0]!, characters.at(-1)!];
    sum += characters.length * 1_000_003 + first.codePointAt(0)! * 8_191 + last.codePointAt(0)! * 131;
  }
  return `${terms.length} ${sum}`;
}
