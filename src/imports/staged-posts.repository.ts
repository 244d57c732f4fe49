import { Injectable } from '@nestjs/common';
import { CompiledQuery } from '../database/compiled-query.js';
import { Database, type Transaction } from '../database/database.js';
import { selectProperties } from '../database/entity-queries.js';
import { PostCollection } from '../posts/post-collection.entity.js';
import { Post } from '../posts/post.entity.js';
import { changeTime, nextChangeTime } from '../posts/writes/change-time.js';
import type { IdRange } from '../posts/writes/staged-ids.js';
import { SearchIndexRepository } from '../search/search-index.repository.js';
import { type StagedBatch, STAGED_PROPERTIES } from './import-batches.js';

/** How many posts a transaction removes: some 20 ms of work. */
const REMOVED_ROWS = 500;
/** The value of `importBeats` while the posts are being removed. */
const ENDED = -1;

/** The part of an import that is stored and not visible. */
export interface Stage extends IdRange {
  /** The time of change of its posts. */
  readonly since: string;
}

/** What the database says about the import that stages posts; `hiddenTo` is 0 when there is none. */
export type StageState = Pick<PostCollection, 'hiddenFrom' | 'hiddenTo' | 'importKey' | 'importBeats'>;

/** Another process has ended the import, because it made no progress for a long time. */
class ImportEnded extends Error {
  constructor() {
    super('Another process has ended the import.');
  }
}

/** The statements that reserve ids, and the condition for the counter that the transaction updates. */
const DIFFERENCES = {
  // No entity describes SQLite's sequence table.
  sqlite: {
    reserve: [
      `INSERT INTO sqlite_sequence (name, seq)
       SELECT 'posts', 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'posts')`,
      `UPDATE sqlite_sequence SET seq = seq + :count WHERE name = 'posts' RETURNING seq - :count + 1 AS "first"`,
    ],
    counter: 'id = 0',
  },
  postgres: {
    reserve: ['SELECT posts_reserve_ids(CAST(:count AS bigint)) AS "first"'],
    counter: 'id = (SELECT posts_free_counter())',
  },
} as const;

const BEAT = CompiledQuery.fromText(
  `UPDATE posts_state SET import_beats = import_beats + 1
   WHERE hidden_from = :first AND import_beats <> ${ENDED} RETURNING hidden_from`,
);
const SHOW = CompiledQuery.fromText(
  `UPDATE posts_state SET hidden_from = 0, hidden_to = 0, importing_since = '', import_key = ''
   WHERE hidden_from = :first`,
);
const NEXT_TO_REMOVE = CompiledQuery.fromText(
  `SELECT max(id) AS "last" FROM (
     SELECT id FROM posts WHERE id BETWEEN :first AND :last ORDER BY id LIMIT ${REMOVED_ROWS}
   ) AS next`,
);
const DELETE = CompiledQuery.fromText('DELETE FROM posts WHERE id BETWEEN :first AND :last');

/** The statements that the databases write differently. */
function queriesOf({ dialect, reader: { manager } }: Database) {
  const { reserve, counter } = DIFFERENCES[dialect.name];
  const { columns } = manager.connection.getMetadata(Post);
  const content = STAGED_PROPERTIES.map((name) => columns.find(({ propertyName }) => propertyName === name)!);
  const values = STAGED_PROPERTIES.map((name, index) =>
    name === 'body' ? `coalesce(value ->> ${index + 1}, CAST(:body AS text))` : `value ->> ${index + 1}`,
  );
  return {
    state: CompiledQuery.from(
      selectProperties(manager, PostCollection, 'collection', ['hiddenTo']),
      [],
      dialect.forUpdateOfUnlocked,
    ),
    reserve: reserve.map((sql) => CompiledQuery.fromText(sql)),
    hide: CompiledQuery.fromText(
      `UPDATE posts_state SET hidden_from = :first, hidden_to = :last, import_key = :key, import_beats = 0,
       importing_since = ${changeTime(dialect)} RETURNING importing_since AS "since"`,
    ),
    insert: CompiledQuery.fromText(
      `INSERT INTO posts (id, version, modified, ${content.map(({ databaseName }) => databaseName).join(', ')})
       ${dialect.overridingIds} SELECT :first + CAST(value ->> 0 AS bigint), 1, CAST(:since AS text), ${values.join(', ')}
       FROM ${dialect.elementsOf(':rows')}`,
    ),
    count: CompiledQuery.fromText(
      `UPDATE posts_counters SET posts = posts + :count, changes = changes + 1,
       modified = ${nextChangeTime(dialect, 'modified')} WHERE ${counter}`,
    ),
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
  begin(count: number, key: string): Promise<Stage | undefined> {
    return this.database.write(async (transaction) => {
      // The state is locked while a transaction of an import runs.
      const [state] = await transaction.all<Pick<StageState, 'hiddenTo'>>(this.#queries.state);
      if (!state || state.hiddenTo > 0) return undefined;
      let first = 0;
      for (const query of this.#queries.reserve) {
        const [row] = await transaction.all<{ first: number }>(query, { count });
        first = row?.first ?? first;
      }
      const range = { first, last: first + count - 1 };
      const [hidden] = await transaction.all<{ since: string }>(this.#queries.hide, { ...range, key });
      return { ...range, since: hidden!.since };
    });
  }

  /** @throws ImportEnded */
  async store(stage: Stage, { posts, words, body }: StagedBatch): Promise<void> {
    await this.database.writeInBackground(async (transaction) => {
      await this.beat(transaction, stage);
      transaction.send(this.#queries.insert, { first: stage.first, since: stage.since, rows: posts, body });
      this.search.insertJson(transaction, words, stage.first);
    });
  }

  /** Shows that the import makes progress, and locks its state until the transaction ends. @throws ImportEnded */
  async beat(transaction: Transaction, { first }: Stage): Promise<void> {
    const rows = await transaction.all(BEAT, { first });
    if (rows.length === 0) throw new ImportEnded();
  }

  /** Makes the posts visible, at the end of the transaction. */
  show(transaction: Transaction, { first, last }: Stage): void {
    transaction.send(SHOW, { first });
    transaction.send(this.#queries.count, { count: last - first + 1 });
  }

  /** The committed state. */
  async find(): Promise<StageState | undefined> {
    const state = await this.database.reader.manager.findOneByOrFail(PostCollection, {});
    return state.hiddenTo > 0 ? state : undefined;
  }

  /** Lets no further batch be stored, so that the posts can be removed. */
  async end(first: number): Promise<void> {
    await this.database.write(({ manager }) =>
      manager.update(PostCollection, { hiddenFrom: first }, { importBeats: ENDED }),
    );
  }

  /** Removes the staged posts, batch by batch, after {@link end}. @throws DatabaseFault, the reason of `stop` */
  async remove({ first, last }: IdRange, stop: AbortSignal): Promise<void> {
    for (let isMore = true; isMore;) {
      stop.throwIfAborted();
      isMore = await this.database.writeInBackground(async (transaction) => {
        const [part] = await transaction.all<{ last: number | null }>(NEXT_TO_REMOVE, { first, last });
        if (part!.last === null) {
          transaction.send(SHOW, { first });
          return false;
        }
        this.search.removeRange(transaction, first, part!.last);
        transaction.send(DELETE, { first, last: part!.last });
        return true;
      });
    }
  }
}

export function isEnded({ importBeats }: StageState): boolean {
  return importBeats === ENDED;
}
