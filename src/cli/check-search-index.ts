import { isLong, TERMS_VERSION, termsOf } from '../search/fold.js';

export type Query = <Row>(sql: string) => Promise<Row[]>;

/** Posts whose bodies are in memory together. */
const BATCH_ROWS = 500;

/**
 * A number for each post from the terms that the index holds for it: their count, and a sum over their lengths and some
 * of their characters. Texts with other words rarely have the same number.
 */
const INDEXED = {
  sqlite: `
    SELECT doc AS id, count(*) AS terms,
      sum(length(term) * 1000003 + unicode(term) * 8191 + unicode(substr(term, length(term))) * 131) AS sum
    FROM temp.posts_search_terms GROUP BY doc`,
  postgres: `
    SELECT post_id AS id, count(*) AS terms,
      sum(length(term) * 1000003 + ascii(term) * 8191 + ascii(right(term, 1)) * 131) AS sum
    FROM (SELECT DISTINCT post_id, unnest(tsvector_to_array(words)) AS term FROM posts_search) AS terms
    GROUP BY post_id`,
};

/** Gives the terms of the index as rows. It must run before the connection becomes read-only. */
export const SQLITE_TERMS = `
  CREATE VIRTUAL TABLE temp.posts_search_terms USING fts5vocab('main', 'posts_search', 'instance')`;

interface Signature {
  readonly id: number | string;
  readonly terms: number | string;
  readonly sum: number | string;
}

/**
 * Compares the search index with the texts of the posts.
 *
 * @param query reads one state of the database
 * @param hidden an SQL condition for the ids that an import has staged
 * @returns the number of posts whose entry does not fit; undefined when the service will make the index again
 */
export async function countUnfitEntries(
  kind: keyof typeof INDEXED,
  query: Query,
  hidden: string,
): Promise<number | undefined> {
  const [state] = await query<{ version: string }>('SELECT search_version AS version FROM posts_state');
  if (state?.version !== TERMS_VERSION) return undefined;
  const found = new Map<number, string>();
  for (const { id, terms, sum } of await query<Signature>(INDEXED[kind]))
    found.set(Number(id), `${terms} ${sum}`);
  let unfit = 0;
  for (let after = 0; ;) {
    const posts = await query<{ id: number | string; title: string; body: string }>(
      `SELECT id, title, body FROM posts WHERE id > ${after} AND id NOT ${hidden} ORDER BY id LIMIT ${BATCH_ROWS}`,
    );
    for (const { id, title, body } of posts) {
      const entry = found.get(Number(id));
      // A missing entry is counted by its id. Only the beginning of a long text is indexed.
      if (entry !== undefined && !isLong(body) && entry !== signatureOf(title, body)) unfit += 1;
    }
    if (posts.length < BATCH_ROWS) return unfit;
    after = Number(posts.at(-1)!.id);
  }
}

function signatureOf(title: string, body: string): string {
  const terms = new Set(termsOf(title).concat(termsOf(body)));
  let sum = 0;
  for (const term of terms) {
    const characters = Array.from(term);
    sum += characters.length * 1_000_003 + codeOf(characters[0]!) * 8_191 + codeOf(characters.at(-1)!) * 131;
  }
  return `${terms.size} ${sum}`;
}

function codeOf(character: string): number {
  return character.codePointAt(0)!;
}
