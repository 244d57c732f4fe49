import { jest } from '@jest/globals';
import { join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { stopTimers } from '../../../test/support/stop-timers.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { until } from '../../../test/support/until.js';
import { writerOptions } from '../data-source-options.js';
import { DatabaseFault } from '../database-fault.js';
import type { Work } from '../database.js';
import { sql } from '../sql.js';
import type { SqliteConnection } from './sqlite-connection.js';
import { SqliteDataSource } from './sqlite-data-source.js';
import { SqliteDatabase } from './sqlite-database.js';

const INSERT = sql<{ word: string }>`INSERT INTO words VALUES (${':word'}) RETURNING word`;
const ALL = sql<{ word: string }>`SELECT word FROM words ORDER BY rowid`;
/** A child without a parent is noticed by the COMMIT, not by the statement. */
const ORPHAN = sql`INSERT INTO children VALUES (1)`;

let folder: string;
let dataSource: SqliteDataSource;
let reader: SqliteDataSource;
let connection: SqliteConnection;
let writer: SqliteDatabase;

beforeEach(async () => {
  folder = temporaryFolder();
  const path = join(folder, 'words.sqlite');
  const options = writerOptions({ kind: 'sqlite', path });
  dataSource = await new SqliteDataSource(options).initialize();
  reader = await new SqliteDataSource(options).initialize();
  connection = dataSource.sqlite;
  const children = 'parent integer REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED';
  for (const table of [
    'words (word text PRIMARY KEY)',
    'parents (id integer PRIMARY KEY)',
    `children (${children})`,
  ])
    await connection.query(`CREATE TABLE ${table}`);
  writer = await SqliteDatabase.open(dataSource);
});
afterEach(async () => {
  jest.useRealTimers();
  await dataSource.destroy();
  await reader.destroy();
});

function insert(word: string): Work<string> {
  return async (transaction) => {
    const [row] = await transaction.all(INSERT, { word });
    return row!.word;
  };
}

/** Writes that share a transaction when they wait at the same time. */
function together() {
  const write = writer.batched<Work<unknown>, unknown>(async (transaction, works) => {
    const outcomes = [];
    for (const work of works) outcomes.push({ result: await work(transaction) });
    return outcomes;
  });
  return (work: Work<unknown>) => write(work);
}

/** The committed rows, read by another connection. */
async function committed(): Promise<string[]> {
  const rows = await reader.sqlite.all(ALL);
  return rows.map(({ word }) => word);
}

/** Each outcome: the value, or the name of the error. */
async function outcomesOf(writes: readonly Promise<unknown>[]): Promise<unknown[]> {
  const outcomes = await Promise.allSettled(writes);
  return outcomes.map((outcome) => {
    if (outcome.status === 'fulfilled') return outcome.value;
    const reason: unknown = outcome.reason;
    return reason instanceof DatabaseFault ? reason.kind : (reason as Error).constructor.name;
  });
}

/** A short message when they differ: the outcomes are thousands. */
function expectOutcomes(outcomes: readonly unknown[], expected: readonly unknown[]): void {
  const firstDifference = expected.findIndex((outcome, index) => outcomes[index] !== outcome);
  expect([firstDifference, outcomes[firstDifference]]).toEqual([-1, undefined]);
  expect(outcomes).toHaveLength(expected.length);
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `word ${index}`);

describe('the writes of SqliteDatabase', () => {
  it('announces what a transaction has changed: the rows that it names, or any', async () => {
    const announced: unknown[] = [];
    writer.onChange((rows) => announced.push(rows));
    const named = writer.batched<string, undefined>(async (transaction, words) => {
      for (const word of words) await insert(word)(transaction);
      transaction.changedRows = ['words/7', 'words/8'];
      return words.map(() => ({ result: undefined }));
    });
    await writer.write((transaction) => transaction.all(ALL));
    await named('named');
    expect(announced.splice(0)).toEqual([['words/7', 'words/8']]);
    await writer.write(insert('new'));
    await writer.write((transaction) => transaction.manager.query('DELETE FROM words'));
    // Its own commits are no changes of another connection.
    const looks = jest.spyOn(connection, 'query');
    await until(() => looks.mock.results.length === 2);
    await looks.mock.results[1]!.value;
    // The first look counts as a change.
    expect(announced).toEqual([undefined, undefined, undefined]);
    looks.mockRestore();
    await reader.sqlite.query(`INSERT INTO words VALUES ('foreign')`);
    await until(() => announced.length > 3);
    expect(announced).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('groups waiting writes into few commits, in their order, and rejects further ones while 5,000 wait', async () => {
    stopTimers();
    const words = numbered(5_100);
    const accepted = words.slice(0, 5_000);
    const outcomes = await outcomesOf(words.map(insert).map(together()));
    expectOutcomes(outcomes, [...accepted, ...Array.from({ length: 100 }, () => 'busy')]);
    expect(await committed()).toEqual(accepted);
    expect(writer.writes.transactions.count).toBeLessThanOrEqual(80);
  });

  it('makes one transaction for each write, and counts those that have written', async () => {
    stopTimers();
    const { transactions } = writer.writes;
    const begun = jest.spyOn(connection, 'all');
    await Promise.all(numbered(1_000).map((word) => writer.write(insert(word))));
    expect(transactions.count).toBe(1_000);
    expect(begun.mock.calls.filter(([{ text }]) => text.startsWith('BEGIN'))).toHaveLength(1_000);
    begun.mockRestore();
    await writer.write((transaction) => transaction.all(ALL));
    expect(transactions.count).toBe(1_000);
  });

  it('knows when the write began that runs: no change of it is earlier, and no list shows it yet', async () => {
    const times: (number | undefined)[] = [writer.oldestWriteMs];
    const startedAt = Date.now();
    await writer.write(async (transaction) => {
      const readAt = Date.now();
      await transaction.all(INSERT, { word: 'running' });
      await setTimeout(5);
      times.push(writer.oldestWriteMs);
      expect(writer.oldestWriteMs).toBeGreaterThanOrEqual(startedAt);
      expect(writer.oldestWriteMs).toBeLessThanOrEqual(readAt);
    });
    times.push(writer.oldestWriteMs);
    expect(times).toEqual([undefined, expect.any(Number), undefined]);
  });

  it('refuses single writes while 5,000 wait, a quarter of them those of one client', async () => {
    stopTimers();
    const write = (word: string, name: string): Promise<string> =>
      writer.write(() => Promise.resolve(word), { name });
    const ofOne = await outcomesOf(numbered(1_260).map((word) => write(word, 'many')));
    // One of them is in the line for the connection.
    expectOutcomes(ofOne, [...numbered(1_251), ...Array.from({ length: 9 }, () => 'TooBusy')]);
    const ofMany = await outcomesOf(numbered(5_014).map((word, index) => write(word, `client ${index % 8}`)));
    expectOutcomes(ofMany, [...numbered(5_004), ...Array.from({ length: 10 }, () => 'TooBusy')]);
  });

  it('calls what follows a commit only after it, and stores the change even if that fails', async () => {
    const calls: unknown[] = [];
    writer.onListenerFault = (fault) => calls.push((fault as Error).message);
    const work =
      (word: string): Work<string> =>
      async (transaction) => {
        transaction.afterCommit(() => {
          throw new Error('listener');
        });
        transaction.afterCommit(() => calls.push(word));
        return insert(word)(transaction);
      };
    await writer.write(work('a')).then(() => calls.push('acknowledged'));
    expect(await outcomesOf([writer.write(work('a'))])).toEqual(['duplicate']);
    expect(calls).toEqual(['listener', 'a', 'acknowledged']);
    expect(await committed()).toEqual(['a']);
  });

  it('does not know the outcome when the disk fails during a COMMIT', async () => {
    const original = connection.all.bind(connection);
    const failing = jest.spyOn(connection, 'all').mockImplementation((query, values) => {
      if (query.text === 'COMMIT') return Promise.reject(new DatabaseFault('unreachable'));
      return original(query, values);
    });
    expect(await outcomesOf([writer.write(insert('a'))])).toEqual(['unconfirmed']);
    failing.mockRestore();
    expect(await writer.write(insert('b'))).toBe('b');
  });

  it('runs writes one by one when their COMMIT fails, and refuses the one that makes it fail', async () => {
    const orphan: Work<unknown> = (transaction) => transaction.all(ORPHAN);
    const writes = [insert('a'), orphan, insert('b')].map(together());
    expect(await outcomesOf(writes)).toEqual(['a', 'unexpected', 'b']);
    expect(await writer.write(insert('after'))).toBe('after');
    expect(await committed()).toEqual(['a', 'b', 'after']);
  });

  it('rejects work that ignores a full disk, commits the other writes, and remembers it for a minute', async () => {
    await connection.query('PRAGMA max_page_count = 20');
    const carefree: Work<string> = async (transaction) => {
      await insert('lost')(transaction);
      await insert('x'.repeat(1_000_000))(transaction).catch(() => undefined);
      return 'done';
    };
    const writes = [insert('a'), carefree, insert('b')].map(together());
    expect(await outcomesOf(writes)).toEqual(['a', 'full', 'b']);
    expect(await committed()).toEqual(['a', 'b']);
    // A later write has succeeded.
    expect(writer.writes.refusal).toBeUndefined();
    expect(await outcomesOf([writer.write(carefree)])).toEqual(['full']);
    expect(writer.writes.refusal).toBe('full');
    const now = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_001);
    expect(writer.writes.refusal).toBeUndefined();
    now.mockRestore();
  });

  it('rejects waiting writes when another connection holds the lock too long, and recovers', async () => {
    await connection.query('PRAGMA busy_timeout = 20');
    await reader.sqlite.query('BEGIN IMMEDIATE');
    const writes = ['a', 'b'].map(insert).map(together());
    expect(await outcomesOf(writes)).toEqual(['busy', 'busy']);
    await reader.sqlite.query('ROLLBACK');
    expect(await writer.write(insert('c'))).toBe('c');
    expect(await committed()).toEqual(['c']);
  });

  it('refuses a single write after 10 s, with the time that it has waited for its place in the line', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate'] });
    const ends: (() => void)[] = [];
    const holdLine = (): Promise<void> => new Promise((resolve) => ends.push(resolve));
    const clients = ['a', 'b', 'c', 'd', 'e'];
    const writes = clients.map((name) => writer.write(holdLine, { name }).then(() => 'stored'));
    const outcomes = outcomesOf(writes);
    let isOver = false;
    void Promise.allSettled([writes[4]!]).then(() => (isOver = true));
    const untilBegun = async (count: number): Promise<void> => {
      while (ends.length < count) await setImmediate();
    };
    await untilBegun(1);
    jest.advanceTimersByTime(6_000);
    ends[0]!();
    await untilBegun(2);
    jest.advanceTimersByTime(4_001);
    for (let turn = 0; turn < 10; turn += 1) await setImmediate();
    expect(isOver).toBe(true);
    ends[1]!();
    expect(await outcomes).toEqual(['stored', 'stored', 'busy', 'busy', 'busy']);
  });

  it('runs one transaction at a time, in their order, and long work without a limit on its wait', async () => {
    const long = ['first', 'second'].map((word) => writer.writeAtLength(insert(word)));
    await setImmediate();
    const writes = numbered(3).map((word) => writer.write(insert(word), { name: word }));
    await setImmediate();
    await Promise.all([...long, ...writes, writer.writeAtLength(insert('last'))]);
    expect(await committed()).toEqual(['first', 'second', ...numbered(3), 'last']);
  });
});

describe('SqliteDatabase', () => {
  it('finishes waiting writes before it closes, and refuses later ones', async () => {
    const before = [writer.write(insert('a')), writer.writeAtLength(insert('b'))];
    await dataSource.destroy();
    await expect(Promise.all(before)).resolves.toEqual(['a', 'b']);
    await expect(writer.write(insert('c'))).rejects.toBeInstanceOf(Error);
    writer = await SqliteDatabase.open(await dataSource.initialize());
  });
});
