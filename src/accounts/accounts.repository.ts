import { Injectable } from '@nestjs/common';
import { CompiledQuery } from '../database/compiled-query.js';
import { Database, type Queryable, type Transaction, type Work } from '../database/database.js';
import { selectProperties } from '../database/entity-queries.js';
import { Account } from './account.entity.js';

export type NewAccount = Pick<Account, 'username' | 'usernameKey' | 'passwordHash' | 'createdAt'>;

/** The one place that builds queries on accounts. */
@Injectable()
export class AccountsRepository {
  readonly #lockEnabled: CompiledQuery;

  constructor(private readonly database: Database) {
    this.#lockEnabled = CompiledQuery.from(
      selectProperties(database.reader.manager, Account, 'account', ['id'])
        .where('account.isEnabled = 1')
        .orderBy('account.id'),
      [],
      database.dialect.forUpdate,
    );
  }

  transaction<Result>(work: Work<Result>): Promise<Result> {
    return this.database.write(work);
  }

  list(): Promise<Account[]> {
    return this.database.reader.manager.find(Account, { order: { usernameKey: 'ASC', id: 'ASC' } });
  }

  find(id: number, { manager }: Queryable = this.database.reader): Promise<Account | null> {
    return manager.findOneBy(Account, { id });
  }

  findByKey(usernameKey: string): Promise<Account | null> {
    return this.database.reader.manager.findOneBy(Account, { usernameKey });
  }

  isAny(): Promise<boolean> {
    return this.database.reader.manager.exists(Account);
  }

  /** @returns null when the name is taken */
  insert(account: NewAccount): Promise<Account | null> {
    return this.database.write(async ({ manager }) => {
      const insertion = manager.createQueryBuilder().insert().into(Account);
      await insertion
        .values({ ...account, isEnabled: 1 })
        .orIgnore()
        .updateEntity(false)
        .execute();
      // The hash is salted, so no other account has the same.
      const { usernameKey, passwordHash } = account;
      return manager.findOneBy(Account, { usernameKey, passwordHash });
    });
  }

  /** The ids of the accounts that are enabled; which ones these are nobody else changes before the transaction is over. */
  async lockEnabled(transaction: Transaction): Promise<number[]> {
    const rows = await transaction.all<{ id: number }>(this.#lockEnabled);
    return rows.map(({ id }) => id);
  }

  async setPassword({ manager }: Transaction, id: number, passwordHash: string): Promise<void> {
    await manager.update(Account, { id }, { passwordHash });
  }

  async setEnabled({ manager }: Transaction, id: number, isEnabled: boolean): Promise<void> {
    await manager.update(Account, { id }, { isEnabled: isEnabled ? 1 : 0 });
  }

  /** Stores the same password hashed anew, unless it was changed since it was verified. */
  async replaceHash({ id, passwordHash: verified }: Account, passwordHash: string): Promise<void> {
    await this.database.write(({ manager }) =>
      manager.update(Account, { id, passwordHash: verified }, { passwordHash }),
    );
  }
}
