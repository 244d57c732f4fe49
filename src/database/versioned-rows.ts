import { Batches, type Company, type Outcome, type Outcomes } from './batches.js';
import type { Database } from './database.js';
import { type Computed, type RowWrite, rowWrites } from './row-writes.js';
import { raw, type Sql, sql } from './sql.js';
import type { ChangeHooks, Transaction } from './transaction.js';

/** A row of an entity that many change at the same time. */
export interface VersionedRow {
  /** 0 until the database has assigned it. */
  readonly id: number;
  /** Increases with every change. */
  readonly version: number;
}

/** A row before and after a change. Without the row before, the change inserts the row; with an id, it restores it. */
export interface RowChange<Row> {
  readonly before: Row | undefined;
  /** Undefined for a deletion. Gets what the database sets: the id, and {@link VersionedRowsOptions.computed}. */
  readonly after: Row | undefined;
}

/** A change as a client requests it. */
export interface ChangeRequest<Row, Change> {
  /** The row to change; undefined for a new one. */
  readonly id?: number;
  /** The length of the row's texts, in UTF-16 units. */
  readonly length?: number;
  readonly hooks?: ChangeHooks<Row> | undefined;
  /**
   * The change of the row, which no other transaction changes before this one ends; undefined leaves the row as it is.
   * What it throws refuses the change, and no other one.
   *
   * @param row undefined when there is none
   */
  readonly decide: (row: Row | undefined) => Change | undefined;
}

export interface VersionedRowsOptions<Row, Change> {
  /** Its columns are the properties of a row. */
  readonly entity: new () => Row;
  /** Properties that the database sets with every change, as SQL. */
  readonly computed?: Computed<Row>;
  /** A condition that large rows do not meet: they are read and changed alone, because many would exceed the memory. */
  readonly isSmall?: Sql;
  readonly listeners?: readonly ChangeListener<Change>[];
}

/** Is told of changes in the transaction that makes them, whatever causes them. */
export interface ChangeListener<Change> {
  onChanges?(transaction: Transaction, changes: readonly Change[]): Promise<void> | void;
}

/** While this many queries run, further reads wait for the next query. */
const MAX_RUNNING_READS = 2;
/** How long a large row waits for those of others. */
const MAX_WAIT_MS = 6_000;

/**
 * The rows of an entity. Reads that arrive at the same time share a query, and changes share a transaction and its
 * statements. Each change is decided by itself, on the locked row, and names the version that it replaces.
 */
export class VersionedRows<Row extends VersionedRow, Change extends RowChange<Row>> {
  readonly #table: string;
  readonly #byId: Sql<Row>;
  readonly #byIds: Sql<Row>;
  readonly #versionsByIds: Sql<VersionedRow>;
  readonly #lockById: Sql<Row>;
  readonly #lockByIds: Sql<Row>;
  readonly #lockUnlockedByIds: Sql<Row>;
  readonly #insert: RowWrite<Row>;
  readonly #restore: RowWrite<Row>;
  readonly #replace: RowWrite<Row>;
  readonly #delete: Sql<Partial<Row>>;
  readonly #reads: Batches<number, Row | undefined | 'alone'>;
  readonly #readsAlone: Batches<number, Row | undefined | 'alone'>;
  readonly #versions: Batches<number, number | undefined>;
  readonly #change: (request: ChangeRequest<Row, Change>, company: Company) => Promise<Row | undefined>;

  constructor(
    private readonly database: Database,
    private readonly options: VersionedRowsOptions<Row, Change>,
  ) {
    const { dialect } = database;
    const { entity, computed = {}, isSmall = raw('TRUE') } = options;
    const { tableName, columns } = database.reader.manager.connection.getMetadata(entity);
    this.#table = tableName;
    const table = raw(tableName);
    const names = columns.map(({ databaseName, propertyName }) => `"${databaseName}" AS "${propertyName}"`);
    const select = sql`SELECT ${raw(names.join(', '))} FROM ${table} WHERE id`;
    const isOneOf = dialect.isOneOf(':ids');
    this.#byId = sql`${select} = ${':id'}`;
    this.#byIds = sql`${select} ${isOneOf} AND ${isSmall}`;
    this.#versionsByIds = sql<VersionedRow>`SELECT id AS "id", version AS "version" FROM ${table} WHERE id ${isOneOf}`;
    this.#lockById = sql`${this.#byId}${raw(dialect.forUpdate)}`;
    this.#lockByIds = sql`${this.#byIds} ORDER BY ${table}.id${raw(dialect.forUpdate)}`;
    this.#lockUnlockedByIds = sql`${this.#byIds}${raw(dialect.forUpdateOfUnlocked)}`;
    const writes = rowWrites<Row>(database, entity, computed);
    this.#insert = writes.insertion();
    this.#restore = writes.restoration();
    this.#replace = writes.replacement();
    this.#delete = dialect.checked(
      sql<Partial<Row>>`DELETE FROM ${table} WHERE id ${isOneOf} RETURNING id AS "id"`,
    );
    this.#change = database.batched(this.#changeAll.bind(this));
    const maxRunning = MAX_RUNNING_READS;
    const run = this.#read.bind(this);
    this.#reads = new Batches({ maxRunning, run });
    // A client that asks for many large rows delays the others by few of them.
    this.#readsAlone = new Batches({
      maxRunning,
      maxItems: 1,
      maxWaitMs: MAX_WAIT_MS,
      takesTurns: true,
      run,
    });
    this.#versions = new Batches({ maxRunning, run: this.#readVersions.bind(this) });
  }

  /** The committed row, by a query that starts after the call. @param clientOf names the client that waits for it */
  async find(id: number, clientOf?: () => string): Promise<Row | undefined> {
    let found = await this.#reads.add(id);
    if (found === 'alone') found = await this.#readsAlone.add(id, { client: clientOf?.() });
    return found as Row | undefined;
  }

  /** Whether the committed row has this version, by a query that starts after the call and does not read its texts. */
  async isCurrent(id: number, version: number): Promise<boolean> {
    return (await this.#versions.add(id)) === version;
  }

  async #readVersions(take: () => readonly number[]): Promise<Outcomes<number | undefined>> {
    const ids = take();
    const rows = await this.database.reader.all(this.#versionsByIds, { ids: JSON.stringify(ids) });
    const versions = new Map(rows.map(({ id, version }) => [id, version]));
    return ids.map((id) => ({ result: versions.get(id) }));
  }

  async #read(take: () => readonly number[]): Promise<Outcomes<Row | undefined | 'alone'>> {
    const ids = take();
    if (ids.length === 1)
      return [{ result: (await this.database.reader.all(this.#byId, { id: ids[0]! }))[0] }];
    const rows = await this.findSmall(ids);
    return ids.map((id) => ({ result: rows.get(id) ?? 'alone' }));
  }

  /** The committed rows by their ids. Large ones are left out. */
  async findSmall(ids: readonly number[]): Promise<Map<number, Row>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.reader.all(this.#byIds, { ids: JSON.stringify(ids) });
    return new Map(rows.map((row) => [row.id, row]));
  }

  /**
   * The rows that the transaction is about to change, if they exist. No other transaction changes them before this one
   * ends. Of several rows, large ones are left out.
   *
   * @param skipsLocked leaves out rows that another transaction has locked: it takes no time and causes no deadlock
   */
  async findForUpdate(transaction: Transaction, ids: readonly number[], skipsLocked = false): Promise<Row[]> {
    if (ids.length === 0) return [];
    if (ids.length === 1 && !skipsLocked) return transaction.all(this.#lockById, { id: ids[0]! });
    const query = skipsLocked ? this.#lockUnlockedByIds : this.#lockByIds;
    return transaction.all(query, { ids: JSON.stringify(ids) });
  }

  /** Stores, replaces or deletes a row. @returns the row as it is stored then; undefined after its deletion */
  change(request: ChangeRequest<Row, Change>): Promise<Row | undefined> {
    return this.#change(request, { key: request.id, length: request.length });
  }

  /**
   * Makes changes of rows that the transaction has locked. Replaced rows get what the database computes by the end of the
   * transaction. When a row that is replaced or deleted is gone, or has another version, nothing is committed.
   */
  async apply(transaction: Transaction, changes: readonly Change[]): Promise<void> {
    if (changes.length === 0) return;
    const created: Row[] = [];
    const restored: Row[] = [];
    const replaced: Row[] = [];
    const deleted: Row[] = [];
    for (const { before, after } of changes) {
      if (!after) deleted.push(before!);
      else if (before) replaced.push(after);
      else (after.id === 0 ? created : restored).push(after);
    }
    if (created.length > 0) assign(created, await transaction.all(...this.#insert(created)));
    if (restored.length > 0) transaction.send(...this.#restore(restored));
    if (replaced.length > 0) {
      const [query, values] = this.#replace(replaced);
      const expected = replaced.length;
      transaction.send(query, { ...values, expected }, (stored) => assign(replaced, stored));
    }
    if (deleted.length > 0) {
      const ids = JSON.stringify(deleted.map(({ id }) => id));
      transaction.send(this.#delete, { ids, expected: deleted.length }, (rows) => assign(deleted, rows));
    }
    for (const listener of this.options.listeners ?? []) await listener.onChanges?.(transaction, changes);
  }

  async #changeAll(
    transaction: Transaction,
    requests: readonly ChangeRequest<Row, Change>[],
  ): Promise<Outcomes<Row | undefined>> {
    const isAlone = requests.length === 1;
    const ids: number[] = [];
    for (const { id } of requests) if (id !== undefined) ids.push(id);
    const rows = new Map<number, Row>();
    for (const row of await this.findForUpdate(transaction, ids, !isAlone)) rows.set(row.id, row);
    const deciding: Promise<Decision<Row, Change>>[] = [];
    for (const request of requests) deciding.push(decisionOf(request, rows, isAlone, transaction));
    const decisions = await Promise.all(deciding);
    const changes: Change[] = [];
    for (const decision of decisions) if (decision?.change) changes.push(decision.change);
    await this.apply(transaction, changes);
    const changedRows: string[] = [];
    const work: Promise<unknown>[] = [];
    for (const [index, decision] of decisions.entries()) {
      const { before, after } = decision?.change ?? {};
      if (before ?? after) changedRows.push(`${this.#table}/${(after ?? before)!.id}`);
      const { hooks } = requests[index]!;
      if (after && hooks) work.push(hooks.after(transaction, after));
    }
    transaction.changedRows = changedRows;
    await Promise.all(work);
    return decisions;
  }
}

/** The outcome of a request, with the change that must be made; undefined for a request that must run alone. */
type Decision<Row, Change> = (Outcome<Row | undefined> & { readonly change?: Change }) | undefined;

async function decisionOf<Row extends VersionedRow, Change extends RowChange<Row>>(
  { id, hooks, decide }: ChangeRequest<Row, Change>,
  rows: ReadonlyMap<number, Row>,
  isAlone: boolean,
  transaction: Transaction,
): Promise<Decision<Row, Change>> {
  const row = id === undefined ? undefined : rows.get(id);
  // It is large, another transaction has locked it, or it does not exist.
  if (id !== undefined && !row && !isAlone) return undefined;
  try {
    await hooks?.before(transaction);
    const change = decide(row);
    return change ? { result: change.after, change } : { result: row };
  } catch (refused) {
    return { refused };
  }
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
