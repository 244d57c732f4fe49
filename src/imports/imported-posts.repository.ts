import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../database/database.js';
import { columnOf, joined, raw, type Sql, sql } from '../database/sql.js';
import { Post, POST_CONTENT } from '../posts/post.entity.js';
import { changeTime } from '../posts/writes/change-time-queries.js';
import { SearchIndexRepository } from '../search/search-index.repository.js';
import type { ImportBatch } from './import-batches.js';

/** Stores the new posts of an import, whose rows and words are JSON already. */
@Injectable()
export class ImportedPostsRepository {
  readonly #insert: Sql<Pick<Post, 'id'>>;

  constructor(
    { dialect }: Database,
    private readonly search: SearchIndexRepository,
  ) {
    const columns = POST_CONTENT.map((name) => columnOf(Post, name)).join(', ');
    const values = POST_CONTENT.map((name, index) =>
      name === 'body'
        ? sql`coalesce(value ->> ${raw(String(index))}, CAST(${':body'} AS text))`
        : raw(`value ->> ${index}`),
    );
    this.#insert = sql<Pick<Post, 'id'>>`
      INSERT INTO posts (version, modified, ${raw(columns)})
      SELECT 1, ${changeTime(dialect)}, ${joined(values, ', ')} FROM ${dialect.elementsOf(':posts')}
      RETURNING id AS "id"
    `;
  }

  /** @returns the ids of the posts, in their order */
  async insert(transaction: Transaction, { posts, body, words }: ImportBatch): Promise<number[]> {
    const rows = await transaction.all(this.#insert, { posts, body });
    const ids = rows.map(({ id }) => id).toSorted((a, b) => a - b);
    const entries = words.flatMap((texts, index) =>
      texts.map((text, part) => `[${ids[index]},${part},${text}]`),
    );
    if (entries.length > 0) this.search.insertJson(transaction, `[${entries.join()}]`);
    return ids;
  }
}
