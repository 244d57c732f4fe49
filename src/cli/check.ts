import { DataSource } from 'typeorm';
import { comparePostgresSchema } from '../database/postgres/compare-schema.js';
import { SqliteConnection } from '../database/sqlite/sqlite-connection.js';
import { verifySqliteFile, VISIBLE } from '../database/sqlite/verify-sqlite-file.js';
import { titleKey } from '../posts/folded-text.js';
import { TERMS_VERSION, termsOfPost } from '../search/fold.js';
import type { Settings } from '../settings/settings.js';
import { print, settingsOfExisting } from './command-context.js';
import { assertUnchanged } from './files.js';
import { withPostgres } from './maintenance.js';

/** Reads the whole database and reports its faults. @throws Error with all of them */
export async function check(): Promise<void> {
  const settings = settingsOfExisting();
  const { database } = settings;
  const { faults, isIndexed } = await (database.kind === 'sqlite'
    ? checkSqlite(database.path)
    : checkPostgres(settings));
  if (faults.length > 0) throw new Error(faults.join('\n'));
  print('The database is sound.');
  if (!isIndexed) print('It has no current search index; the service makes it when it starts.');
}

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
    for (const sql of [SQLITE_TERMS, 'PRAGMA query_only = ON', 'BEGIN']) await handle.query(sql);
    return await findFaults(SQLITE_SIGNATURES, (sql) => handle.query(sql));
  } finally {
    await handle.close();
  }
}

function checkPostgres(settings: Settings): Promise<Findings> {
  return withPostgres(settings, async (context) => {
    const dataSource = context.get(DataSource);
    const differences = await comparePostgresSchema(dataSource);
    return dataSource.transaction('REPEATABLE READ', async (manager) => {
      const { faults, isIndexed } = await findFaults(POSTGRES_SIGNATURES, (sql) => manager.query(sql));
      return { faults: [...differences, ...faults], isIndexed };
    });
  });
}

/** Gives the terms of the index as rows. It must run before the connection becomes read-only. */
const SQLITE_TERMS = `CREATE VIRTUAL TABLE temp.posts_search_terms USING fts5vocab('main', 'posts_search', 'instance')`;

/*
 * Both queries give a number for each post from the terms that the index holds for it: their count, and a sum over their
 * lengths and some of their characters. Texts with other words rarely have the same number.
 */
const SQLITE_SIGNATURES = `
  SELECT doc AS id, count(*) AS terms,
    sum(length(term) * 1000003 + unicode(term) * 8191 + unicode(substr(term, length(term))) * 131) AS sum
  FROM temp.posts_search_terms GROUP BY doc`;
const POSTGRES_SIGNATURES = `
  SELECT post_id AS id, count(*) AS terms,
    sum(length(term) * 1000003 + ascii(term) * 8191 + ascii(right(term, 1)) * 131) AS sum
  FROM (SELECT DISTINCT post_id, unnest(tsvector_to_array(words)) AS term FROM posts_search) AS terms
  GROUP BY post_id`;

/** @param query reads one state of the database */
async function findFaults(signatures: string, query: Query): Promise<Findings> {
  const [state] = await query<{ version: string }>('SELECT search_version AS version FROM posts_state');
  const isIndexed = state?.version === TERMS_VERSION;
  const faults: string[] = [];
  const unfit = isIndexed ? await countUnfitEntries(signatures, query) : 0;
  if (unfit > 0)
    faults.push(`The search index or the order of titles is wrong for ${unfit} posts: run reindex.`);
  const [counters] = await query<{ difference: number | string }>(
    `SELECT (SELECT sum(posts) FROM posts_counters) - (SELECT count(*) FROM posts ${VISIBLE}) AS difference`,
  );
  const difference = Number(counters!.difference);
  if (difference !== 0) faults.push(`The counters of posts are wrong by ${difference}.`);
  return { faults, isIndexed };
}

/** Posts whose bodies are in memory together. */
const BATCH_ROWS = 500;
/** A post without words has no entry in the index. */
const NO_TERMS = '0 0';

/** Counts the posts whose entry in the search index, or sort key, does not fit their texts, and the entries without a post. */
async function countUnfitEntries(signatures: string, query: Query): Promise<number> {
  const indexed = new Map<number, string>();
  type Signature = Record<'id' | 'terms' | 'sum', number | string>;
  const entries = await query<Signature>(`SELECT * FROM (${signatures}) AS entry ${VISIBLE}`);
  for (const { id, terms, sum } of entries) indexed.set(Number(id), `${terms} ${sum}`);
  let unfit = 0;
  for (let after = 0; ;) {
    const posts = await query<{ id: number | string; title: string; key: string; body: string }>(
      `SELECT id, title, title_key AS key, body FROM posts ${VISIBLE} AND id > ${after} ORDER BY id LIMIT ${BATCH_ROWS}`,
    );
    for (const { id, title, key, body } of posts) {
      const entry = indexed.get(Number(id)) ?? NO_TERMS;
      indexed.delete(Number(id));
      if (key !== titleKey(title) || entry !== (await signatureOf(title, body))) unfit += 1;
    }
    if (posts.length < BATCH_ROWS) return unfit + indexed.size;
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
