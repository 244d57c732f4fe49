import { Injectable } from '@nestjs/common';
import { CompiledQuery } from '../database/compiled-query.js';
import { Database, type Transaction } from '../database/database.js';
import { selectProperties } from '../database/entity-queries.js';
import { Account } from './account.entity.js';

export type NewAccount = Pick<Account, 'username' | 'usernameKey' | 'role' | 'passwordHash' | 'createdAt'>;

export type Administrator = Pick<Account, 'id' | 'username' | 'passwordHash'>;

/** At least the length of the parameters in a password hash. */
const COST_CHARACTERS = 25;

/** Queries on accounts that are more than finding one by its values. */
@Injectable()
export class AccountsRepository {
  readonly #lockAdministrators: CompiledQuery;

  constructor(private readonly database: Database) {
    this.#lockAdministrators = CompiledQuery.from(
      selectProperties(database.reader.manager, Account, 'account', ['id', 'username', 'passwordHash'])
        .where(`account.isEnabled = 1 AND account.role = 'administrator'`)
        .orderBy('account.id'),
      [],
      database.dialect.forUpdate,
    );
  }

  /** Returns the beginnings of the enabled accounts' password hashes, which hold their costs. */
  async passwordCosts(): Promise<string[]> {
    const heads = await this.database.reader.manager
      .createQueryBuilder(Account, 'account')
      .select(`substr(account.passwordHash, 1, ${COST_CHARACTERS})`, 'head')
      .distinct()
      .where('account.isEnabled = 1')
      .getRawMany<{ head: string }>();
    return heads.map(({ head }) => head);
  }

  /** @returns null when the name is taken */
  async insert({ manager }: Transaction, account: NewAccount): Promise<Account | null> {
    const insertion = manager.createQueryBuilder().insert().into(Account);
    await insertion
      .values({ ...account, isEnabled: 1 })
      .orIgnore()
      .updateEntity(false)
      .execute();
    // The hash is salted, so it identifies the inserted row: no other account has the same one.
    const { usernameKey, passwordHash } = account;
    return manager.findOneBy(Account, { usernameKey, passwordHash });
  }

  /**
   * Locks and returns the enabled administrators. Until the transaction ends, no other transaction can change which
   * accounts these are.
   */
  lockAdministrators(transaction: Transaction): Promise<Administrator[]> {
    return transaction.all(this.#lockAdministrators);
  }
}
