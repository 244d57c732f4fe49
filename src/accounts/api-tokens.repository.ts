import { Injectable } from '@nestjs/common';
import { CompiledQuery } from '../database/compiled-query.js';
import { Database, type Transaction } from '../database/database.js';
import type { ApiToken } from './api-token.entity.js';

const SHOWN = `"id", "name", "hint", "created_at" AS "createdAt", "created_by" AS "createdBy",
  "expires_at" AS "expiresAt", "last_used_at" AS "lastUsedAt"`;

const LIST = CompiledQuery.fromText(`SELECT ${SHOWN} FROM "api_tokens" ORDER BY "id"`);
const FIND_BY_DIGEST = CompiledQuery.fromText(`SELECT ${SHOWN} FROM "api_tokens" WHERE "digest" = :digest`);
const INSERT = CompiledQuery.fromText(
  `INSERT INTO "api_tokens" ("name", "hint", "digest", "created_at", "created_by", "expires_at")
   VALUES (:name, :hint, :digest, :createdAt, :createdBy, :expiresAt) RETURNING ${SHOWN}`,
);
const DELETE = CompiledQuery.fromText(`DELETE FROM "api_tokens" WHERE "id" = :id RETURNING "id"`);
const DELETE_CREATED_BY = CompiledQuery.fromText(`DELETE FROM "api_tokens" WHERE "created_by" = :username`);
/** Another instance may have noted a later use. */
const NOTE_USE = CompiledQuery.fromText(
  `UPDATE "api_tokens" SET "last_used_at" = :now
   WHERE "id" = :id AND ("last_used_at" IS NULL OR "last_used_at" < :now)`,
);

export type NewApiToken = Omit<ApiToken, 'id' | 'lastUsedAt'>;

/** A token as people see it: all but its digest. */
export type ShownApiToken = Omit<ApiToken, 'digest'>;

/** The one place that builds queries on API tokens. */
@Injectable()
export class ApiTokensRepository {
  constructor(private readonly database: Database) {}

  list(): Promise<ShownApiToken[]> {
    return this.database.reader.all<ShownApiToken>(LIST);
  }

  async findByDigest(digest: string): Promise<ShownApiToken | undefined> {
    const [token] = await this.database.reader.all<ShownApiToken>(FIND_BY_DIGEST, { digest });
    return token;
  }

  async insert(transaction: Transaction, token: NewApiToken): Promise<ShownApiToken> {
    const [shown] = await transaction.all<ShownApiToken>(INSERT, { ...token });
    return shown!;
  }

  /** @returns false when there is none with the id */
  delete(id: number): Promise<boolean> {
    return this.database.write(async (transaction) => {
      const deleted = await transaction.all(DELETE, { id });
      return deleted.length > 0;
    });
  }

  /** @param username as it is stored in the account */
  async deleteCreatedBy(transaction: Transaction, username: string): Promise<void> {
    await transaction.all(DELETE_CREATED_BY, { username });
  }

  /** @param now as `Date.toISOString` writes it */
  async noteUse(id: number, now: string): Promise<void> {
    await this.database.write((transaction) => transaction.all(NOTE_USE, { id, now }));
  }
}
