import { Injectable } from '@nestjs/common';
import { CompiledQuery } from '../database/compiled-query.js';
import { Database, type Queryable, type Transaction, type Work } from '../database/database.js';
import type { Account } from './account.entity.js';

const COLUMNS = `"id", "username", "username_key" AS "usernameKey", "password_hash" AS "passwordHash",
  "is_enabled" AS "isEnabled", "created_at" AS "createdAt", "last_login_at" AS "lastLoginAt"`;

const LIST = CompiledQuery.fromText(`SELECT ${COLUMNS} FROM "accounts" ORDER BY "username_key", "id"`);
const FIND = CompiledQuery.fromText(`SELECT ${COLUMNS} FROM "accounts" WHERE "id" = :id`);
const FIND_BY_KEY = CompiledQuery.fromText(
  `SELECT ${COLUMNS} FROM "accounts" WHERE "username_key" = :usernameKey`,
);
const EXISTS = CompiledQuery.fromText(`SELECT 1 FROM "accounts" LIMIT 1`);

const INSERT = CompiledQuery.fromText(
  `INSERT INTO "accounts" ("username", "username_key", "password_hash", "is_enabled", "created_at")
   VALUES (:username, :usernameKey, :passwordHash, 1, :createdAt)
   ON CONFLICT ("username_key") DO NOTHING RETURNING ${COLUMNS}`,
);
const SET_PASSWORD = CompiledQuery.fromText(
  `UPDATE "accounts" SET "password_hash" = :passwordHash WHERE "id" = :id RETURNING "id"`,
);
const SET_ENABLED = CompiledQuery.fromText(
  `UPDATE "accounts" SET "is_enabled" = :isEnabled WHERE "id" = :id RETURNING "id"`,
);
const REPLACE_HASH = CompiledQuery.fromText(
  `UPDATE "accounts" SET "password_hash" = :passwordHash WHERE "id" = :id AND "password_hash" = :verified
   RETURNING "id"`,
);

export type NewAccount = Pick<Account, 'username' | 'usernameKey' | 'passwordHash' | 'createdAt'>;

/** The one place that builds queries on accounts. */
@Injectable()
export class AccountsRepository {
  readonly #lockEnabled: CompiledQuery;

  constructor(private readonly database: Database) {
    this.#lockEnabled = CompiledQuery.fromText(
      `SELECT "id" FROM "accounts" WHERE "is_enabled" = 1 ORDER BY "id"${database.dialect.forUpdate}`,
    );
  }

  transaction<Result>(work: Work<Result>): Promise<Result> {
    return this.database.write(work);
  }

  list(): Promise<Account[]> {
    return this.database.reader.all<Account>(LIST);
  }

  async find(id: number, within: Queryable = this.database.reader): Promise<Account | undefined> {
    const [account] = await within.all<Account>(FIND, { id });
    return account;
  }

  async findByKey(usernameKey: string): Promise<Account | undefined> {
    const [account] = await this.database.reader.all<Account>(FIND_BY_KEY, { usernameKey });
    return account;
  }

  async isAny(): Promise<boolean> {
    const rows = await this.database.reader.all(EXISTS);
    return rows.length > 0;
  }

  /** @returns undefined when the name is taken */
  insert({ username, usernameKey, passwordHash, createdAt }: NewAccount): Promise<Account | undefined> {
    return this.database.write(async (transaction) => {
      const values = { username, usernameKey, passwordHash, createdAt };
      const [account] = await transaction.all<Account>(INSERT, values);
      return account;
    });
  }

  /** The ids of the accounts that are enabled; which ones these are nobody else changes before the transaction is over. */
  async lockEnabled(transaction: Transaction): Promise<number[]> {
    const rows = await transaction.all<{ id: number }>(this.#lockEnabled);
    return rows.map(({ id }) => id);
  }

  async setPassword(transaction: Transaction, id: number, passwordHash: string): Promise<void> {
    await transaction.all(SET_PASSWORD, { id, passwordHash });
  }

  async setEnabled(transaction: Transaction, id: number, isEnabled: boolean): Promise<void> {
    await transaction.all(SET_ENABLED, { id, isEnabled: isEnabled ? 1 : 0 });
  }

  /** Stores the same password hashed anew, unless it was changed since it was verified. */
  async replaceHash({ id, passwordHash: verified }: Account, passwordHash: string): Promise<void> {
    await this.database.write((transaction) => transaction.all(REPLACE_HASH, { id, verified, passwordHash }));
  }
}
