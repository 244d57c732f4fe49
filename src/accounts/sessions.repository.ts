import { Injectable } from '@nestjs/common';
import { CompiledQuery } from '../database/compiled-query.js';
import { Database, type Transaction } from '../database/database.js';
import type { Account } from './account.entity.js';
import type { Session } from './session.entity.js';

/** Compares before it sets: between the look at the password and now the account may have changed. */
const NOTE_LOG_IN = CompiledQuery.fromText(
  `UPDATE "accounts" SET "last_login_at" = :now
   WHERE "id" = :accountId AND "is_enabled" = 1 AND "password_hash" = :passwordHash RETURNING "id"`,
);
const INSERT = CompiledQuery.fromText(
  `INSERT INTO "sessions" ("id", "account_id", "expires_at") VALUES (:id, :accountId, :expiresAt)`,
);
const DELETE_EXPIRED = CompiledQuery.fromText(`DELETE FROM "sessions" WHERE "expires_at" <= :now`);

const FIND = CompiledQuery.fromText(
  `SELECT "accounts"."id" AS "accountId", "accounts"."username" AS "username"
   FROM "sessions" JOIN "accounts" ON "accounts"."id" = "sessions"."account_id"
   WHERE "sessions"."id" = :id AND "sessions"."expires_at" > :now AND "accounts"."is_enabled" = 1`,
);
const DELETE = CompiledQuery.fromText(`DELETE FROM "sessions" WHERE "id" = :id`);
const DELETE_OF_ACCOUNT = CompiledQuery.fromText(`DELETE FROM "sessions" WHERE "account_id" = :accountId`);

/** Whose session it is. */
export interface SessionOwner {
  readonly accountId: number;
  readonly username: string;
}

/** The one place that builds queries on sessions. */
@Injectable()
export class SessionsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Begins a session of an account, and removes those that have expired by now.
   *
   * @param account as it was when its password was verified
   * @param now as `Date.toISOString` writes it
   * @returns false when the account was disabled or given another password meanwhile
   */
  begin({ id, expiresAt }: Omit<Session, 'accountId'>, account: Account, now: string): Promise<boolean> {
    const { id: accountId, passwordHash } = account;
    return this.database.write(async (transaction) => {
      // On PostgreSQL it also locks the account: who disables it waits for us, and then ends this session too.
      const noted = await transaction.all(NOTE_LOG_IN, { now, accountId, passwordHash });
      if (noted.length === 0) return false;
      await transaction.all(DELETE_EXPIRED, { now });
      await transaction.all(INSERT, { id, accountId, expiresAt });
      return true;
    });
  }

  /** @returns undefined when the session is over, or its account is disabled */
  async findOwner(id: string, now: string): Promise<SessionOwner | undefined> {
    const [owner] = await this.database.reader.all<SessionOwner>(FIND, { id, now });
    return owner;
  }

  async end(id: string): Promise<void> {
    await this.database.write((transaction) => transaction.all(DELETE, { id }));
  }

  async endAllOf(transaction: Transaction, accountId: number): Promise<void> {
    await transaction.all(DELETE_OF_ACCOUNT, { accountId });
  }
}
