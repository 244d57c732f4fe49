import { Injectable } from '@nestjs/common';
import { CompiledQuery } from '../database/compiled-query.js';
import { Database, type Queryable, type Transaction } from '../database/database.js';
import { isUnlocked, tryLock } from '../database/database-lock.js';
import type { UsedKey } from './used-key.entity.js';

const FIND = CompiledQuery.fromText(
  `SELECT "id", "payload", "status", "headers", "entity_tag" AS "entityTag", "body", "created_at" AS "createdAt"
   FROM "idempotency_keys" WHERE "id" = :id AND "created_at" > :expiredAt`,
);

/** A key that has expired, and was not yet removed, is as good as new. */
const INSERT = CompiledQuery.fromText(
  `INSERT INTO "idempotency_keys" ("id", "payload", "status", "headers", "entity_tag", "body", "created_at")
   VALUES (:id, :payload, :status, :headers, :entityTag, :body, :createdAt)
   ON CONFLICT ("id") DO UPDATE SET "payload" = excluded."payload", "status" = excluded."status",
     "headers" = excluded."headers", "entity_tag" = excluded."entity_tag", "body" = excluded."body",
     "created_at" = excluded."created_at"
   WHERE "idempotency_keys"."created_at" <= :expiredAt
   RETURNING "id"`,
);

const DELETE_EXPIRED = CompiledQuery.fromText(
  `DELETE FROM "idempotency_keys" WHERE "id" IN (
     SELECT "id" FROM "idempotency_keys" WHERE "created_at" <= :expiredAt ORDER BY "created_at", "id" LIMIT :limit
   ) RETURNING "id"`,
);

/** The one place that builds queries on used keys. What expired at `expiredAt` or before counts as absent. */
@Injectable()
export class UsedKeysRepository {
  constructor(private readonly database: Database) {}

  /** @param within the transaction to read in; by default what is committed is read */
  async find(
    id: string,
    expiredAt: string,
    within: Queryable = this.database.reader,
  ): Promise<UsedKey | undefined> {
    const [used] = await within.all<UsedKey>(FIND, { id, expiredAt });
    return used;
  }

  /**
   * Keeps the key for the transaction as long as that is open.
   *
   * @returns false when another transaction, of whatever instance, has it
   */
  claim(transaction: Transaction, id: string): Promise<boolean> {
    return tryLock(transaction, this.database.dialect, lockOf(id));
  }

  /** Tells whether a transaction of another instance has the key; where there is but one instance, none has. */
  async isClaimed(id: string): Promise<boolean> {
    const { dialect } = this.database;
    if (!dialect.lookAtLock) return false;
    return !(await this.database.write((transaction) => isUnlocked(transaction, dialect, lockOf(id))));
  }

  /** @returns false when the key is used up already */
  async insert(
    transaction: Transaction,
    { id, payload, status, headers, entityTag, body, createdAt }: UsedKey,
    expiredAt: string,
  ): Promise<boolean> {
    const values = { id, payload, status, headers, entityTag, body, createdAt, expiredAt };
    const rows = await transaction.all(INSERT, values);
    return rows.length > 0;
  }

  /** Deletes the oldest of the expired keys, as many as the limit allows. @returns how many */
  deleteExpired(expiredAt: string, limit: number): Promise<number> {
    return this.database.write(async (transaction) => {
      const rows = await transaction.all(DELETE_EXPIRED, { expiredAt, limit });
      return rows.length;
    });
  }
}

/** Half of the digest; were two keys to share it, one of them would be told to try again. */
function lockOf(id: string): bigint {
  return Buffer.from(id, 'base64url').readBigInt64BE();
}
