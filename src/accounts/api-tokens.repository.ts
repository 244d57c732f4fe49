import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { CompiledQuery } from '../database/compiled-query.js';
import { Database, type Transaction } from '../database/database.js';
import { selectProperties } from '../database/entity-queries.js';
import { ApiToken, type TokenRole } from './api-token.entity.js';

export type NewApiToken = Omit<ApiToken, 'id' | 'lastUsedAt'>;

export type ShownApiToken = Omit<ApiToken, 'digest'>;

/** The one place that builds queries on API tokens. */
@Injectable()
export class ApiTokensRepository {
  readonly #findByDigest: CompiledQuery;

  constructor(private readonly database: Database) {
    this.#findByDigest = CompiledQuery.from(
      selectProperties(database.reader.manager, ApiToken, 'token').where('token.digest = :digest'),
      ['digest'],
    );
  }

  /** @param createdBy only the tokens that this account made */
  list(createdBy?: string): Promise<ShownApiToken[]> {
    const where = createdBy === undefined ? {} : { createdBy };
    return this.database.reader.manager.find(ApiToken, { where, order: { id: 'ASC' } });
  }

  async findByDigest(digest: string): Promise<ShownApiToken | undefined> {
    const [token] = await this.database.reader.all<ShownApiToken>(this.#findByDigest, { digest });
    return token;
  }

  async insert({ manager }: Transaction, token: NewApiToken): Promise<ShownApiToken> {
    await manager.insert(ApiToken, { ...token });
    return manager.findOneByOrFail(ApiToken, { digest: token.digest });
  }

  /** @returns the deleted token, or null when no token has the id */
  async delete({ manager }: Transaction, id: number): Promise<ShownApiToken | null> {
    const token = await manager.findOneBy(ApiToken, { id });
    const { affected } = await manager.delete(ApiToken, { id });
    return affected === 1 ? token : null;
  }

  /**
   * @param username as stored in the account
   * @returns the deleted tokens
   */
  async deleteCreatedBy(
    { manager }: Transaction,
    username: string,
    roles: readonly TokenRole[],
  ): Promise<ShownApiToken[]> {
    if (roles.length === 0) return [];
    const tokens = await manager.findBy(ApiToken, { createdBy: username, role: In(roles) });
    await manager.delete(ApiToken, { id: In(tokens.map(({ id }) => id)) });
    return tokens;
  }

  /** @param now in the format of `Date.toISOString` */
  async noteUse(id: number, now: string): Promise<void> {
    await this.database.write(({ manager }) =>
      manager
        .createQueryBuilder()
        .update(ApiToken)
        .set({ lastUsedAt: now })
        // Another instance may have stored a later time.
        .where('id = :id AND (lastUsedAt IS NULL OR lastUsedAt < :now)', { id, now })
        .execute(),
    );
  }
}
