import { Injectable } from '@nestjs/common';
import { In, LessThanOrEqual } from 'typeorm';
import { CompiledQuery } from '../database/compiled-query.js';
import { Database, type Queryable, type Transaction } from '../database/database.js';
import { selectProperties } from '../database/entity-queries.js';
import { UsedKey } from './used-key.entity.js';

/** All queries on used keys. Keys that were created at `expiredAt` or before count as absent. */
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
    const { columns } = manager.connection.getMetadata(UsedKey);
    const properties = columns.map(({ propertyName }) => propertyName);
    const replaced = columns.filter(({ isPrimary }) => !isPrimary);
    // An expired key that was not removed yet can be used again.
    this.#insert = CompiledQuery.from(
      manager
        .createQueryBuilder()
        .insert()
        .into(UsedKey, properties)
        .values(Object.fromEntries(properties.map((name) => [name, () => `:${name}`])))
        .orUpdate(
          replaced.map(({ databaseName }) => databaseName),
          ['id'],
        ),
      properties,
      ' WHERE "idempotency_keys"."created_at" <= :expiredAt RETURNING "id"',
    );
  }

  /** @param within the transaction to read in; by default the reader, which sees committed data */
  async find(
    id: string,
    expiredAt: string,
    within: Queryable = this.database.reader,
  ): Promise<UsedKey | undefined> {
    const [used] = await within.all<UsedKey>(this.#find, { id, expiredAt });
    return used;
  }

  /**
   * Locks the key until the transaction ends.
   *
   * @returns false when another transaction, of any instance, holds it
   */
  claim(transaction: Transaction, id: string): Promise<boolean> {
    return this.database.dialect.tryLock(transaction, lockOf(id));
  }

  /** @returns false when the key is already used */
  async insert(
    transaction: Transaction,
    used: Readonly<Record<keyof UsedKey, string | number | null>>,
    expiredAt: string,
  ): Promise<boolean> {
    const rows = await transaction.all(this.#insert, { ...used, expiredAt });
    return rows.length > 0;
  }

  /** Deletes the oldest expired keys, up to the limit. @returns how many */
  deleteExpired(expiredAt: string, limit: number): Promise<number> {
    return this.database.write(async ({ manager }) => {
      const createdAt = LessThanOrEqual(expiredAt);
      const expired = await manager.find(UsedKey, {
        select: { id: true },
        where: { createdAt },
        order: { createdAt: 'ASC', id: 'ASC' },
        take: limit,
      });
      // On PostgreSQL, another instance may have used an expired key again since the SELECT.
      const { affected } = await manager.delete(UsedKey, { id: In(expired.map(({ id }) => id)), createdAt });
      return affected!;
    });
  }
}

/** The first 64 bits of the digest. If two running requests share them, one gets 409 and can retry. */
function lockOf(id: string): bigint {
  return Buffer.from(id, 'base64url').readBigInt64BE();
}
