import { getRepositoryToken } from '@nestjs/typeorm';
import { setImmediate } from 'node:timers/promises';
import type { Repository } from 'typeorm';
import { SharedValue } from '../../src/admin/shared-value.entity.js';
import { Database } from '../../src/database/database.js';
import { sql } from '../../src/database/sql.js';
import { startService } from '../support/service.js';

const service = await startService();
const database = service.app.get(Database);
afterAll(() => service.stop());

const valueOf = async (name: string): Promise<string | undefined> =>
  (await database.reader.manager.findOneBy(SharedValue, { name }))?.value;

describe('the EntityManager of a transaction', () => {
  it('sees the changes of its transaction, which the reader sees only after the commit', async () => {
    const insert = sql`INSERT INTO secrets (name, value) VALUES (${':name'}, ${':value'})`;
    await database.write(async (transaction) => {
      await transaction.all(insert, { name: 'shared', value: 'a' });
      const row = { name: 'shared', value: 'a' };
      expect(await transaction.manager.findOneBy(SharedValue, { name: 'shared' })).toEqual(row);
      expect(await valueOf('shared')).toBeUndefined();
    });
    expect(await valueOf('shared')).toBe('a');
  });

  it('rolls back a write that fails, and no other one', async () => {
    const names = ['one', 'two', 'three'];
    const insert = (name: string): Promise<void> =>
      database.write(async ({ manager }) => {
        await manager.insert(SharedValue, { name, value: 'a' });
        if (name === 'two') throw new Error('refused');
      });
    const outcomes = await Promise.allSettled(names.map(insert));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await Promise.all(names.map(valueOf))).toEqual(['a', undefined, 'a']);
  });

  it('runs a nested transaction in a savepoint', async () => {
    await database.write(async ({ manager }) => {
      await manager.insert(SharedValue, { name: 'outer', value: 'a' });
      const inner = manager.transaction(async (nested) => {
        await nested.insert(SharedValue, { name: 'inner', value: 'a' });
        throw new Error('refused');
      });
      await expect(inner).rejects.toThrow('refused');
    });
    expect([await valueOf('outer'), await valueOf('inner')]).toEqual(['a', undefined]);
  });

  it('leaves reads to a repository of @InjectRepository(), and refuses its writes', async () => {
    await database.write(({ manager }) => manager.insert(SharedValue, { name: 'plain', value: 'a' }));
    const repository = service.app.get<Repository<SharedValue>>(getRepositoryToken(SharedValue), {
      strict: false,
    });
    const row = { name: 'plain', value: 'b' };
    const writes = [
      () => repository.save(row),
      () => repository.update({ name: 'plain' }, { value: 'b' }),
      () => repository.manager.transaction((manager) => manager.delete(SharedValue, { name: 'plain' })),
    ];
    for (const write of writes) await expect(write()).rejects.toThrow('For all others, use Database.write.');
    expect(await repository.findOneBy({ name: 'plain' })).toEqual({ name: 'plain', value: 'a' });
    expect(await repository.count()).toBeGreaterThan(0);
    // Nest's documentation writes a transaction so.
    const runner = repository.manager.connection.createQueryRunner();
    await runner.connect();
    await expect(runner.startTransaction()).rejects.toThrow('For all others, use Database.write.');
    await runner.release();
    expect(database.connections?.busy ?? 0).toBe(0);
  });

  it('lets the reader run what reads, in whatever form, and nothing that may change something', async () => {
    const { manager } = database.reader;
    for (const text of [
      'select 1 AS one',
      '\n  SELECT 1 AS one',
      "WITH words AS (SELECT 'insert; update' AS word) SELECT 1 AS one FROM words",
      'WITH RECURSIVE n(one) AS (VALUES (1)) SELECT one FROM n',
    ])
      expect(await manager.query(text)).toEqual([{ one: 1 }]);
    expect(await manager.query('VALUES (1)')).toHaveLength(1);
    for (const text of [
      'WITH gone AS (DELETE FROM secrets RETURNING *) SELECT * FROM gone',
      'explain analyze delete from secrets',
      'with x as (select 1) insert into secrets select * from x',
      'TRUNCATE secrets',
    ])
      await expect(manager.query(text)).rejects.toThrow('The reader runs only statements that read');
  });

  it('rejects a statement after the end of the transaction', async () => {
    const over = await database.write((transaction) => Promise.resolve(transaction.manager));
    // On SQLite, the statement would join the transaction that is open on the connection.
    await database.write(async ({ manager }) => {
      await manager.findOneBy(SharedValue, { name: 'late' });
      const late = over.insert(SharedValue, { name: 'late', value: 'a' });
      await expect(late).rejects.toThrow('The transaction is over.');
    });
    expect(await valueOf('late')).toBeUndefined();
  });

  it('rejects with a DatabaseFault, which rolls back the transaction even when it is caught', async () => {
    const failing = database.write(async ({ manager }) => {
      await manager.insert(SharedValue, { name: 'twice', value: 'a' });
      await manager.insert(SharedValue, { name: 'twice', value: 'b' }).catch(() => undefined);
    });
    await expect(failing).rejects.toMatchObject({ name: 'DatabaseFault', kind: 'duplicate' });
    expect(await valueOf('twice')).toBeUndefined();
  });

  it('rejects with the first fault, when another statement was sent before its response arrived', async () => {
    const failing = database.write(async (transaction) => {
      transaction.send(sql`SELECT * FROM missing`);
      // PostgreSQL gets the two statements in two messages.
      await setImmediate();
      await transaction.all(sql`SELECT 1`);
    });
    await expect(failing).rejects.toMatchObject({
      cause: { message: expect.stringContaining('missing') },
      sql: 'SELECT * FROM missing',
      sentBy: expect.stringContaining('entity-manager.e2e'),
    });
  });
});

describe('the EntityManager of the reader', () => {
  it('refuses to change anything', async () => {
    const { manager } = database.reader;
    const refusal = 'For all others, use Database.write.';
    await expect(manager.save(SharedValue, { name: 'read', value: 'a' })).rejects.toThrow(refusal);
    await expect(manager.delete(SharedValue, { name: 'read' })).rejects.toThrow(refusal);
    expect(await valueOf('read')).toBeUndefined();
  });

  it('reports a missing value of a query as it is, not as a fault of the database', async () => {
    const query = sql`SELECT title FROM posts WHERE id = ${':id'}`;
    await expect(database.reader.all(query)).rejects.toThrow('The statement has no value for :id');
  });
});

describe('the EntityManager of a snapshot', () => {
  it('sees the state of its first read', async () => {
    const snapshot = await database.snapshot();
    expect(await snapshot.manager.existsBy(SharedValue, { name: 'later' })).toBe(false);
    await database.write(({ manager }) => manager.insert(SharedValue, { name: 'later', value: 'a' }));
    expect(await snapshot.manager.existsBy(SharedValue, { name: 'later' })).toBe(false);
    await snapshot.close();
    expect(await valueOf('later')).toBe('a');
  });
});

describe('a statement', () => {
  const { reader } = database;

  it('returns its rows, if there are any, at its first and later uses, and when it is sent twice at once', async () => {
    const insert = sql`INSERT INTO secrets (name, value) VALUES (${':name'}, ${':value'}) RETURNING name`;
    const find = sql`SELECT value, CAST(${':text'} AS text) AS "text" FROM secrets WHERE name = ${':name'}`;
    expect(await database.write((to) => to.all(insert, { name: 'é', value: 'a' }))).toEqual([{ name: 'é' }]);
    const found = [{ value: 'a', text: null }];
    for (let use = 1; use <= 3; use++) {
      expect(await reader.all(find, { name: 'é', text: null })).toEqual(found);
      expect(await reader.all(find, { name: 'none', text: 'a' })).toEqual([]);
    }
    const other = sql`SELECT CAST(${':id'} AS integer) AS "id"`;
    expect(await Promise.all([1, 2].map((id) => reader.all(other, { id })))).toEqual([
      [{ id: 1 }],
      [{ id: 2 }],
    ]);
  });

  it('runs again after it failed, or followed one that failed', async () => {
    const insert = sql`INSERT INTO secrets (name, value) VALUES (${':name'}, 'failing')`;
    const skipped = sql`SELECT CAST(${':id'} AS integer) AS "skipped"`;
    const both = (name: string) =>
      database.write((to) => Promise.all([to.all(insert, { name }), to.all(skipped, { id: 7 })]));
    await both('failing');
    await expect(both('failing')).rejects.toMatchObject({ kind: 'duplicate' });
    expect(await both('again')).toEqual([[], [{ skipped: 7 }]]);
  });

  it('that cannot be prepared rejects each call that waits for it, and is prepared again', async () => {
    const query = sql`SELECT * FROM late`;
    const faults = await Promise.allSettled([1, 2, 3].map(() => reader.all(query)));
    for (const fault of faults) expect(fault).toMatchObject({ reason: { kind: 'unexpected' } });
    await service.database.execute('CREATE TABLE late (a integer)');
    expect(await reader.all(query)).toEqual([]);
  });

  it('may be one of more than are kept prepared, used in any order', async () => {
    const queries = Array.from(
      { length: 500 },
      (_, n) => sql`SELECT ${sql.raw(String(n))} AS n, CAST(${':a'} AS integer) AS a`,
    );
    for (const order of [queries, queries.toReversed()]) {
      const rows = await Promise.all(order.map((query, a) => reader.all(query, { a })));
      expect(rows).toEqual(order.map((query, a) => [{ n: queries.indexOf(query), a }]));
    }
  });
});
