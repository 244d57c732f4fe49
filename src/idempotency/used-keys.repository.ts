import { Injectable } from '@nestjs/common';
import { In, LessThanOrEqual } from 'typeorm';
import { CompiledQuery } from '../database/compiled-query.js';
import { Database, type Queryable, type Transaction } from '../database/database.js';
import { insertedColumns, namedParameters, selectProperties } from '../database/entity-queries.js';
import { UsedKey } from './used-key.entity.js';

/** The one place that builds queries on used keys. What expired at `expiredAt` or before counts as absent. */
@Injectable()
export class UsedKeysRepository {
  readonly #find: CompiledQuery;
  readonly #insert: CompiledQuery;

  constructor(private readonly database: Database) {
    const { manager } = database.reader;
    this.#find = CompiledQuery.from(
      selectProperties(manager, UsedKey, 'used').where('used.id = :id AND used.createdAt > :expiredAt'),
      ['id', 'expiredAt'],
    );
    const columns = insertedColumns(manager, UsedKey);
    const properties = columns.map(({ propertyName }) => propertyName);
    const replaced = columns.filter(({ isPrimary }) => !isPrimary);
    // A key that has expired, and was not yet removed, is as good as new.
    this.#insert = CompiledQuery.from(
      manager
        .createQueryBuilder()
        .insert()
        .into(UsedKey, properties)
        .values(namedParameters(properties))
        .orUpdate(
          replaced.map(({ databaseName }) => databaseName),
          ['id'],
        ),
      properties,
      ' WHERE "idempotency_keys"."created_at" <= :expiredAt RETURNING "id"',
    );
  }

  /** @param within the transaction to read in; by default what is committed is read */
  async find(
    id: string,
    expiredAt: string,
    within: Queryable = this.database.reader,
  ): Promise<UsedKey | undefined> {
    const [used] = await within.all<UsedKey>(this.#find, { id, expiredAt });
    return used;
  }

  /**
   * Keeps the key for the transaction as long as that is open.
   *
   * @returns false when another transaction, of whatever instance, has it
   */
  claim(transaction: Transaction, id: string): Promise<boolean> {
    return this.database.dialect.tryLock(transaction, lockOf(id));
  }

  /** Tells whether a transaction of another instance has the key; where there is but one instance, none has. */
  async isClaimed(id: string): Promise<boolean> {
    const { dialect } = this.database;
    return !(await this.database.write((transaction) => dialect.isUnlocked(transaction, lockOf(id))));
  }

  /** @returns false when the key is used up already */
  async insert(
    transaction: Transaction,
    used: Readonly<Record<keyof UsedKey, string | number | null>>,
    expiredAt: string,
  ): Promise<boolean> {
    const rows = await transaction.all(this.#insert, { ...used, expiredAt });
    return rows.length > 0;
  }

  /** Deletes the oldest of the expired keys, as many as the limit allows. @returns how many */
  deleteExpired(expiredAt: string, limit: number): Promise<number> {
    return this.database.write(async ({ manager }) => {
      const createdAt = LessThanOrEqual(expiredAt);
      const expired = await manager.find(UsedKey, {
        select: { id: true },
        where: { createdAt },
        order: { createdAt: 'ASC', id: 'ASC' },
        take: limit,
      });
      // On PostgreSQL, another instance may have used an expired key again in between.
      const { affected } = await manager.delete(UsedKey, { id: In(expired.map(({ id }) => id)), createdAt });
      return affected!;
    });
  }
}

/** Half of the digest; were two keys to share it, one of them would be told to try again. */
function lockOf(id: string): bigint {
  return Buffer.from(id, 'base64url').readBigInt64BE();
}
