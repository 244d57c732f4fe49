import { Injectable } from '@nestjs/common';
import { Between, type FindOptionsWhere, MoreThan, type UpdateResult } from 'typeorm';
import { Database, type Transaction } from '../database/database.js';
import { joined, raw, sql } from '../database/sql.js';
import { type IdRange, PostCollection } from '../posts/post-collection.entity.js';
import { Post } from '../posts/post.entity.js';
import { changeTime, nextChangeTime } from '../posts/writes/change-time.js';
import { SearchIndexRepository } from '../search/search-index.repository.js';
import { type StagedBatch, STAGED_PROPERTIES } from './import-batches.js';

/** How many posts a transaction removes: some 20 ms of work. */
const REMOVED_ROWS = 500;
/** The value of `importBeats` while the posts are being removed. */
const ENDED = -1;

const NO_IMPORT = { hiddenFrom: 0, hiddenTo: 0, importingSince: '', importKey: '' };

/** What the database says about the import that stages posts. */
export type StageState = Pick<PostCollection, 'hiddenFrom' | 'hiddenTo' | 'importKey' | 'importBeats'>;

/** The statements that reserve ids, and the condition for the counter that the transaction updates. */
const DIFFERENCES = {
  // No entity describes SQLite's sequence table.
  sqlite: {
    reserve: [
      sql`INSERT INTO sqlite_sequence (name, seq)
       SELECT 'posts', 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'posts')`,
      sql`UPDATE sqlite_sequence SET seq = seq + ${':count'} WHERE name = 'posts' RETURNING seq - ${':count'} + 1 AS "first"`,
    ],
    counter: 'id = 0',
  },
  postgres: {
    reserve: [sql`SELECT posts_reserve_ids(CAST(${':count'} AS bigint)) AS "first"`],
    counter: 'id = (SELECT posts_free_counter())',
  },
} as const;

/** The statements that TypeORM's builders cannot write. */
function queriesOf({ dialect, reader: { manager } }: Database) {
  const { reserve, counter } = DIFFERENCES[dialect.name];
  const metadata = manager.connection.getMetadata(Post);
  const columns = STAGED_PROPERTIES.map((name) => metadata.findColumnWithPropertyName(name)!.databaseName);
  const values = STAGED_PROPERTIES.map((name, index) =>
    name === 'body'
      ? sql`coalesce(value ->> ${raw(String(index + 1))}, CAST(${':body'} AS text))`
      : raw(`value ->> ${index + 1}`),
  );
  return {
    isFree: sql`SELECT 1 FROM posts_state WHERE hidden_to = 0${raw(dialect.forUpdateOfUnlocked)}`,
    reserve,
    insert: sql`INSERT INTO posts (id, version, modified, ${raw(columns.join(', '))})
       ${raw(dialect.overridingIds)} SELECT ${':first'} + CAST(value ->> 0 AS bigint), 1,
       (SELECT importing_since FROM posts_state), ${joined(values, ', ')} FROM ${dialect.elementsOf(':rows')}`,
    count: sql`UPDATE posts_counters SET posts = posts + ${':count'}, changes = changes + 1,
       modified = ${raw(nextChangeTime(dialect, 'modified'))} WHERE ${raw(counter)}`,
  };
}

/**
 * Posts that an import stores before they become visible. `posts_state` has their range of ids, which all reads leave
 * out. Each method runs in one short transaction, between which other writes run.
 */
@Injectable()
export class StagedPostsRepository {
  readonly #queries: ReturnType<typeof queriesOf>;

  constructor(
    private readonly database: Database,
    private readonly search: SearchIndexRepository,
  ) {
    this.#queries = queriesOf(database);
  }

  /**
   * Reserves ids and hides them.
   *
   * @param key identifies the request; empty when it has no Idempotency-Key
   * @returns undefined while another import stages posts
   */
  begin(count: number, key: string): Promise<IdRange | undefined> {
    return this.database.write(async (transaction) => {
      // The state is locked while a transaction of an import runs.
      const free = await transaction.all(this.#queries.isFree);
      if (free.length === 0) return undefined;
      let first = 0;
      for (const query of this.#queries.reserve) {
        const [row] = await transaction.all<{ first: number }>(query, { count });
        first = row?.first ?? first;
      }
      const last = first + count - 1;
      await transaction.manager.updateAll(PostCollection, {
        hiddenFrom: first,
        hiddenTo: last,
        importKey: key,
        importBeats: 0,
        importingSince: () => changeTime(this.database.dialect),
      });
      return { first, last };
    });
  }

  /** Stores a batch, which shows that the import makes progress. @throws Error when another process has ended the import */
  async store({ first }: IdRange, { posts, words, body }: StagedBatch): Promise<void> {
    await this.database.writeInBackground(async (transaction) => {
      const { manager } = transaction;
      // Also locks the state until the transaction ends.
      assertRunning(await manager.increment(PostCollection, running(first), 'importBeats', 1));
      transaction.send(this.#queries.insert, { first, rows: posts, body });
      this.search.insertJson(transaction, words, first);
    });
  }

  /** Makes the posts visible, at the end of the transaction. @throws Error when another process has ended the import */
  async show(transaction: Transaction, { first, last }: IdRange): Promise<void> {
    assertRunning(await transaction.manager.update(PostCollection, running(first), NO_IMPORT));
    transaction.send(this.#queries.count, { count: last - first + 1 });
  }

  /** The committed state. */
  async find(): Promise<StageState | undefined> {
    const state = await this.database.reader.manager.findOneByOrFail(PostCollection, {});
    return state.hiddenTo > 0 ? state : undefined;
  }

  /**
   * Removes the staged posts, batch by batch, unless their import has become visible meanwhile.
   *
   * @throws DatabaseFault, the reason of `stop`
   */
  async remove({ first, last }: IdRange, stop: AbortSignal): Promise<void> {
    // Lets no further batch be stored.
    const { affected } = await this.database.write(({ manager }) =>
      manager.update(PostCollection, { hiddenFrom: first }, { importBeats: ENDED }),
    );
    if (affected !== 1) return;
    for (let isMore = true; isMore;) {
      stop.throwIfAborted();
      isMore = await this.database.writeInBackground(async (transaction) => {
        const { manager } = transaction;
        const posts = await manager.find(Post, {
          select: { id: true },
          where: { id: Between(first, last) },
          order: { id: 'ASC' },
          take: REMOVED_ROWS,
        });
        const end = posts.at(-1)?.id;
        if (end === undefined) {
          await manager.update(PostCollection, { hiddenFrom: first }, NO_IMPORT);
          return false;
        }
        this.search.removeRange(transaction, first, end);
        await manager.delete(Post, { id: Between(first, end) });
        return true;
      });
    }
  }
}

/** The state while the import runs whose first post has this id. */
function running(first: number): FindOptionsWhere<PostCollection> {
  return { hiddenFrom: first, importBeats: MoreThan(ENDED) };
}

/** @throws Error when another process has ended the import, because it made no progress for a long time */
function assertRunning({ affected }: UpdateResult): void {
  if (affected !== 1) throw new Error('Another process has ended the import.');
}

export function isEnded({ importBeats }: StageState): boolean {
  return importBeats === ENDED;
}
