import type { Client } from '../limits/index.js';
import { Batches, type ItemOptions, type Outcome, type Outcomes } from './batches.js';
import { ALONE, type Database } from './database.js';
import { DatabaseFault } from './database-fault.js';
import type { Sql, SqlValues } from './sql.js';
import type { ChangeHooks, Transaction } from './transaction.js';

/** A row of an entity that many change at the same time. */
export interface VersionedRow {
  /** 0 until the database has assigned it. */
  readonly id: number;
  /** Increases with every change. */
  readonly version: number;
}

/** What the listeners have prepared for a change, in their order: JSON, because an import keeps it in a file. */
export type Prepared = readonly unknown[];

/** A row before and after a change. Without the row before, the change inserts the row; with an id, it restores it. */
export interface RowChange<Row> {
  readonly before: Row | undefined;
  /** Undefined for a deletion. Gets what the database sets, such as the id. */
  readonly after: Row | undefined;
  /** From {@link VersionedRows.prepare}, where a listener prepares something. */
  readonly prepared?: Prepared | undefined;
}

/** A row that a commit has changed. */
export interface CommittedRow {
  readonly id: number;
  /** Undefined when it was deleted. */
  readonly version: number | undefined;
}

/**
 * Is told of changes, whatever causes them. What takes long belongs into `prepare`: all other writes wait for a
 * transaction on SQLite.
 *
 * @template Content what of a row is known before its lock is taken
 */
export interface ChangeListener<Change, Content = unknown, Result = unknown> {
  /**
   * Does what a change with this content needs, before its transaction. It may yield to the event loop.
   *
   * @param client who makes the change, for what clients share. Long work may end when it has gone: nothing is stored
   * then.
   * @returns JSON
   */
  prepare?(content: Content, client?: Client): Promise<Result> | Result;
  /**
   * Writes in the transaction of the changes. What it throws refuses them.
   *
   * @param changes in the order in which they were made
   * @param prepared for each change, what `prepare` has returned; undefined for a deletion
   */
  onChanges?(
    transaction: Transaction,
    changes: readonly Change[],
    prepared: readonly (Result | undefined)[],
  ): Promise<void> | void;
  /**
   * Is called when the changes are durable, or may be, before the write is acknowledged. When the process ends in
   * between, it is not: what must not be lost is written by `onChanges`.
   *
   * @param rows that the transaction has changed; undefined when they are too many to be listed
   */
  onCommitted?(rows: readonly CommittedRow[] | undefined): void;
}

/** A change as a client requests it. */
export interface ChangeRequest<Row, Change> {
  /** The row to change; undefined for a new one. */
  readonly id?: number;
  /** The length of the row's texts, in UTF-16 units. */
  readonly length?: number;
  readonly hooks?: ChangeHooks<Row> | undefined;
  /** The client that makes the change. It has at most a quarter of the connections. */
  readonly client?: Client | undefined;
  /**
   * The change of the row, which no other transaction changes before this one ends; undefined leaves the row as it is.
   * What it throws refuses the change, and no other one.
   *
   * @param row undefined when there is none
   */
  readonly decide: (row: Row | undefined) => Change | undefined;
}

/**
 * A statement that writes rows and returns, for each of them in any order, its id and what the database has set. One row
 * has a value for each property, because its text may be long. Several rows are one value `:rows`, an array of objects in
 * JSON, so that every number of rows uses the same statement.
 */
export interface RowWrite<Row> {
  readonly one: Sql<Partial<Row>>;
  readonly several: Sql<Partial<Row>>;
}

/** The statements of an entity. `:ids` is an array in JSON. A large row is one of which many would exceed the memory. */
export interface RowStatements<Row> {
  /** The row `:id`. */
  readonly find: Sql<Row>;
  /** The rows `:ids`, without large ones. */
  readonly findSmall: Sql<Row>;
  /** The versions of the rows `:ids`. */
  readonly findVersions: Sql<VersionedRow>;
  /** The row `:id`, locked until the transaction ends. */
  readonly lock: Sql<Row>;
  /** The rows `:ids` in the order of their ids, without large ones, locked until the transaction ends. */
  readonly lockSmall: Sql<Row>;
  /** As `lockSmall`, without rows that another transaction has locked: it takes no time and causes no deadlock. */
  readonly lockSmallAndFree: Sql<Row>;
  /** Inserts rows, whose ids the database makes in the order of the rows. */
  readonly insert: RowWrite<Row>;
  /** Inserts rows with their ids; left out where rows are not restored. */
  readonly restore?: RowWrite<Row>;
  /** Replaces rows that still have the version before. Fails unless it returns `:expected` rows. */
  readonly replace: RowWrite<Row>;
  /** Deletes the rows `:ids`, and returns their ids. Fails unless it returns `:expected` rows. */
  readonly remove: Sql<Partial<Row>>;
}

export interface VersionedRowsOptions<Row, Change, Content> {
  /** Names the rows for caches: `posts/7`. */
  readonly table: string;
  readonly statements: RowStatements<Row>;
  /** More may be added later. */
  readonly listeners?: readonly ChangeListener<Change, Content>[];
}

/** While this many queries run, further reads wait for the next query. */
const MAX_RUNNING_READS = 2;
/** How many reads wait, and for how long. */
const MAX_WAITING = 4_096;
const MAX_WAIT_MS = 6_000;
/** How many rows of a transaction the listeners are told of: an import may change millions. */
const MAX_COMMITTED_ROWS = 1_000;

/** What is known of a row before it is read alone: undefined when there is none. */
type FoundTogether<Row> = Row | undefined | typeof ALONE;

/**
 * The rows of an entity. Reads that arrive at the same time share a query, and changes share a transaction and its
 * statements. Each change is decided by itself, on the locked row, and names the version that it replaces.
 */
export class VersionedRows<
  Row extends VersionedRow,
  Change extends RowChange<Row> = RowChange<Row>,
  Content = Partial<Row>,
> {
  readonly #statements: RowStatements<Row>;
  readonly #listeners: readonly ChangeListener<Change, Content>[];
  readonly #reads: Batches<number, FoundTogether<Row>>;
  readonly #readsAlone: Batches<number, Row | undefined>;
  readonly #versions: Batches<number, number | undefined>;
  readonly #change: (
    request: ChangeRequest<Row, Change>,
    itemOptions: ItemOptions,
  ) => Promise<Row | undefined>;
  /** The rows of open transactions, for the listeners; undefined when they are too many. */
  readonly #committed = new WeakMap<Transaction, CommittedRow[]>();

  constructor(
    private readonly database: Database,
    private readonly options: VersionedRowsOptions<Row, Change, Content>,
  ) {
    this.#statements = options.statements;
    this.#listeners = options.listeners ?? [];
    const maxRunning = MAX_RUNNING_READS;
    const line = { maxRunning, maxWaiting: MAX_WAITING, maxWaitMs: MAX_WAIT_MS };
    this.#reads = new Batches({
      ...line,
      run: (take) => {
        const ids = take();
        return ids.length > 1 ? this.#readTogether(ids) : this.#readAlone(ids);
      },
    });
    // A client that asks for many large rows delays the others by few of them.
    this.#readsAlone = new Batches({
      ...line,
      maxItems: 1,
      takesTurns: true,
      run: (take) => this.#readAlone(take()),
    });
    this.#versions = new Batches({ ...line, run: (take) => this.#readVersions(take()) });
    this.#change = database.batched(this.#changeAll.bind(this));
  }

  /** The committed row, by a query that starts after the call. @param client waits for it */
  async find(id: number, client?: Client): Promise<Row | undefined> {
    const found = await this.#reads.add(id, { client });
    return found === ALONE ? this.#readsAlone.add(id, { client }) : found;
  }

  /** Whether the committed row has this version, by a query that starts after the call and does not read its texts. */
  async isCurrent(id: number, version: number): Promise<boolean> {
    return (await this.#versions.add(id)) === version;
  }

  /** As {@link isCurrent}, for any version. @param client waits for it */
  async exists(id: number, client?: Client): Promise<boolean> {
    return (await this.#versions.add(id, { client })) !== undefined;
  }

  /** The committed rows by their ids. Large ones are left out. */
  async findSmall(ids: readonly number[]): Promise<Map<number, Row>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.reader.all(this.#statements.findSmall, { ids: JSON.stringify(ids) });
    return new Map(rows.map((row) => [row.id, row]));
  }

  /**
   * The rows that the transaction is about to change, if they exist. No other transaction changes them before this one
   * ends. Of several rows, large ones are left out.
   */
  async findForUpdate(transaction: Transaction, ids: readonly number[]): Promise<Row[]> {
    if (ids.length === 0) return [];
    if (ids.length === 1) return transaction.all(this.#statements.lock, { id: ids[0]! });
    return transaction.all(this.#statements.lockSmall, { ids: JSON.stringify(ids) });
  }

  /** What the listeners need for a change with this content. Call it before the transaction, where it may take long. */
  async prepare(content: Content, client?: Client): Promise<Prepared> {
    const prepared: unknown[] = [];
    for (const listener of this.#listeners)
      prepared.push(listener.prepare ? await listener.prepare(content, client) : null);
    return prepared;
  }

  /**
   * Stores, replaces or deletes a row.
   *
   * @returns the row as it is stored then; undefined after its deletion
   * @throws DatabaseFault; a `duplicate` has the row
   */
  async change(request: ChangeRequest<Row, Change>): Promise<Row | undefined> {
    const { id, length } = request;
    // Without its signal: what is sent to the database is stored, also for a client that has gone.
    const client: Client | undefined = request.client && { name: request.client.name };
    let after: Row | undefined;
    const decide = (row: Row | undefined): Change | undefined => {
      const change = request.decide(row);
      after = change?.after;
      return change;
    };
    try {
      return await this.#change({ ...request, decide }, { key: id, length, client });
    } catch (fault) {
      if (fault instanceof DatabaseFault && fault.kind === 'duplicate') fault.row = after;
      throw fault;
    }
  }

  /**
   * Makes changes of rows that the transaction has locked. Replaced rows get what the database computes by the end of the
   * transaction. When a row that is replaced or deleted is gone, or has another version, nothing is committed.
   */
  async apply(transaction: Transaction, changes: readonly Change[]): Promise<void> {
    if (changes.length === 0) return;
    const { insert, restore, replace, remove } = this.#statements;
    const created: Row[] = [];
    const restored: Row[] = [];
    const replaced: Row[] = [];
    const deleted: Row[] = [];
    for (const { before, after } of changes) {
      if (!after) deleted.push(before!);
      else if (before) replaced.push(after);
      else (after.id === 0 ? created : restored).push(after);
    }
    if (created.length > 0) assign(created, await transaction.all(...write(insert, created)));
    if (restored.length > 0)
      transaction.send(...write(restore!, restored), (stored) => assign(restored, stored));
    if (replaced.length > 0) {
      const [query, values] = write(replace, replaced);
      const expected = replaced.length;
      transaction.send(query, { ...values, expected }, (stored) => assign(replaced, stored));
    }
    if (deleted.length > 0) {
      const ids = JSON.stringify(deleted.map(({ id }) => id));
      transaction.send(remove, { ids, expected: deleted.length }, (rows) => assign(deleted, rows));
    }
    await this.#tell(transaction, changes);
  }

  async #tell(transaction: Transaction, changes: readonly Change[]): Promise<void> {
    for (const [index, listener] of this.#listeners.entries()) {
      const prepared = listener.prepare ? changes.map((change) => change.prepared?.[index]) : [];
      await listener.onChanges?.(transaction, changes, prepared);
    }
    if (this.#listeners.some((listener) => listener.onCommitted !== undefined))
      this.#noteCommitted(transaction, changes);
  }

  #noteCommitted(transaction: Transaction, changes: readonly Change[]): void {
    let rows = this.#committed.get(transaction);
    if (!rows) {
      const all: CommittedRow[] = (rows = []);
      this.#committed.set(transaction, all);
      transaction.afterCommit(() => {
        const listed = all.length > MAX_COMMITTED_ROWS ? undefined : all;
        for (const listener of this.#listeners) listener.onCommitted?.(listed);
      });
    }
    for (const { before, after } of changes) {
      if (rows.length > MAX_COMMITTED_ROWS) return;
      rows.push({ id: (after ?? before)!.id, version: after?.version });
    }
  }

  /** One row, of any size; none when its client has gone. */
  async #readAlone([id]: readonly number[]): Promise<Outcomes<Row | undefined>> {
    if (id === undefined) return [];
    const [result] = await this.database.reader.all(this.#statements.find, { id });
    return [{ result }];
  }

  async #readTogether(ids: readonly number[]): Promise<Outcomes<FoundTogether<Row>>> {
    const rows: Map<number, FoundTogether<Row>> = await this.findSmall(ids);
    const others = ids.filter((id) => !rows.has(id));
    for (const id of await this.#existing(this.database.reader, others)) rows.set(id, ALONE);
    return ids.map((id) => ({ result: rows.get(id) }));
  }

  async #readVersions(ids: readonly number[]): Promise<Outcomes<number | undefined>> {
    const { findVersions } = this.#statements;
    const rows = await this.database.reader.all(findVersions, { ids: JSON.stringify(ids) });
    const versions = new Map(rows.map(({ id, version }) => [id, version]));
    return ids.map((id) => ({ result: versions.get(id) }));
  }

  /** The ids of rows that exist. Of a batch, most rows were found already, and none remains to be asked for. */
  async #existing(within: Pick<Transaction, 'all'>, ids: readonly number[]): Promise<number[]> {
    if (ids.length === 0) return [];
    const rows = await within.all(this.#statements.findVersions, { ids: JSON.stringify(ids) });
    return rows.map(({ id }) => id);
  }

  /** The rows of a batch, locked. A row that is large, or that another transaction has locked, must be changed alone. */
  async #lockTogether(
    transaction: Transaction,
    ids: readonly number[],
  ): Promise<Map<number, FoundTogether<Row>>> {
    const rows = new Map<number, FoundTogether<Row>>();
    if (ids.length === 0) return rows;
    const { lockSmallAndFree } = this.#statements;
    for (const row of await transaction.all(lockSmallAndFree, { ids: JSON.stringify(ids) }))
      rows.set(row.id, row);
    const others = ids.filter((id) => !rows.has(id));
    for (const id of await this.#existing(transaction, others)) rows.set(id, ALONE);
    return rows;
  }

  /** The row of a request that has its transaction alone, locked. */
  async #lockOne(transaction: Transaction, id: number | undefined): Promise<Map<number, FoundTogether<Row>>> {
    const [row] = id === undefined ? [] : await this.findForUpdate(transaction, [id]);
    return new Map(row && [[row.id, row]]);
  }

  async #changeAll(
    transaction: Transaction,
    requests: readonly ChangeRequest<Row, Change>[],
  ): Promise<Outcomes<Row | undefined | typeof ALONE>> {
    const ids: number[] = [];
    for (const { id } of requests) if (id !== undefined) ids.push(id);
    const rows =
      requests.length === 1
        ? await this.#lockOne(transaction, ids[0])
        : await this.#lockTogether(transaction, ids);
    const deciding: Promise<Decision<Row, Change>>[] = [];
    for (const request of requests) {
      const row = request.id === undefined ? undefined : rows.get(request.id);
      deciding.push(
        row === ALONE ? Promise.resolve({ result: ALONE }) : decisionOf(request, row, transaction),
      );
    }
    const decisions = await Promise.all(deciding);
    const changes: Change[] = [];
    for (const { change } of decisions) if (change) changes.push(change);
    await this.apply(transaction, changes);
    transaction.changedRows = changes.map(
      ({ before, after }) => `${this.options.table}/${(after ?? before)!.id}`,
    );
    await finish(transaction, requests, decisions);
    return decisions;
  }
}

/** The outcome of a request, with the change that must be made. */
type Decision<Row, Change> = Outcome<Row | undefined | typeof ALONE> & { readonly change?: Change };

async function decisionOf<Row extends VersionedRow, Change extends RowChange<Row>>(
  { hooks, decide }: ChangeRequest<Row, Change>,
  row: Row | undefined,
  transaction: Transaction,
): Promise<Decision<Row, Change>> {
  try {
    await hooks?.before(transaction);
    const change = decide(row);
    return change ? { result: change.after, change } : { result: row };
  } catch (refused) {
    return { refused };
  }
}

/** Runs what follows on the changes. */
async function finish<Row, Change extends RowChange<Row>>(
  transaction: Transaction,
  requests: readonly ChangeRequest<Row, Change>[],
  decisions: readonly Decision<Row, Change>[],
): Promise<void> {
  const work: Promise<unknown>[] = [];
  for (const [index, { change }] of decisions.entries()) {
    const { hooks } = requests[index]!;
    if (change?.after && hooks) work.push(hooks.after(transaction, change.after));
  }
  await Promise.all(work);
}

function write<Row>({ one, several }: RowWrite<Row>, rows: readonly Row[]): [Sql<Partial<Row>>, SqlValues] {
  if (rows.length === 1) return [one, rows[0] as SqlValues];
  return [several, { rows: JSON.stringify(rows) }];
}

/**
 * @param rows new ones get their ids in their order
 * @param stored what the database has set
 * @throws Error when it has changed other rows than these; then nothing is committed
 */
function assign<Row extends VersionedRow>(rows: readonly Row[], stored: Partial<Row>[]): void {
  if (stored.length !== rows.length)
    throw new Error(`${stored.length} rows were changed, not ${rows.length}.`);
  // RETURNING guarantees no order of its rows.
  const inOrder = stored.toSorted((a, b) => a.id! - b.id!);
  for (const [index, row] of rows.toSorted((a, b) => a.id - b.id).entries())
    Object.assign(row, inOrder[index]);
}
