import { Injectable } from '@nestjs/common';
import { LessThanOrEqual } from 'typeorm';
import { CompiledQuery } from '../database/compiled-query.js';
import { Database, type Transaction, type Work } from '../database/database.js';
import type { Role } from '../http/request/author.js';
import { Account, Secret, Session } from './account.entity.js';

export interface SessionOwner {
  readonly accountId: number;
  readonly username: string;
  readonly role: Role;
}

/** The one place that builds queries on sessions and on the values that all instances share. */
@Injectable()
export class SessionsRepository {
  readonly #findOwner: CompiledQuery;

  constructor(private readonly database: Database) {
    this.#findOwner = CompiledQuery.from(
      database.reader.manager
        .createQueryBuilder(Session, 'session')
        .innerJoin(Account, 'account', 'account.id = session.accountId')
        .select('account.id', 'accountId')
        .addSelect('account.username', 'username')
        .addSelect('account.role', 'role')
        .where('session.id = :id AND session.expiresAt > :now AND account.isEnabled = 1'),
      ['id', 'now'],
    );
  }

  /**
   * Begins a session of an account, and deletes expired sessions.
   *
   * @param account as it was when its password was verified
   * @param now in the format of `Date.toISOString`
   * @param onBegun runs in the same transaction
   * @returns false when the account was disabled or its password changed in the meantime
   */
  begin(
    { id, expiresAt }: Omit<Session, 'accountId'>,
    account: Account,
    now: string,
    onBegun: Work<unknown>,
  ): Promise<boolean> {
    const { id: accountId, passwordHash } = account;
    return this.database.write(async (transaction) => {
      const { manager } = transaction;
      // The account may have changed since the password was verified. On PostgreSQL this update also locks the account:
      // a transaction that disables it waits for this one and then ends this session too.
      const verified = { id: accountId, isEnabled: 1, passwordHash };
      const { affected } = await manager.update(Account, verified, { lastLoginAt: now });
      if (affected === 0) return false;
      await manager.delete(Session, { expiresAt: LessThanOrEqual(now) });
      await manager.insert(Session, { id, accountId, expiresAt });
      await onBegun(transaction);
      return true;
    });
  }

  /** @returns undefined when the session has ended or its account is disabled */
  async findOwner(id: string, now: string): Promise<SessionOwner | undefined> {
    const [owner] = await this.database.reader.all<SessionOwner>(this.#findOwner, { id, now });
    return owner;
  }

  /** @param onEnded runs in the same transaction */
  async end(id: string, onEnded: Work<unknown>): Promise<void> {
    await this.database.write(async (transaction) => {
      await transaction.manager.delete(Session, { id });
      await onEnded(transaction);
    });
  }

  /**
   * Returns the secret of that name, and stores `made` when there is none. Concurrent callers all get the same secret.
   */
  async findOrKeepSecret(name: string, made: string): Promise<string> {
    const found = await this.findShared(name);
    if (found !== undefined) return found;
    return this.database.write(async ({ manager }) => {
      const insertion = manager.createQueryBuilder().insert().into(Secret);
      await insertion.values({ name, value: made }).orIgnore().execute();
      const { value } = await manager.findOneByOrFail(Secret, { name });
      return value;
    });
  }

  async findShared(name: string): Promise<string | undefined> {
    return (await this.database.reader.manager.findOneBy(Secret, { name }))?.value;
  }

  /** Stores a value that all instances share. @returns the value that it replaces */
  async replaceShared({ manager }: Transaction, name: string, value: string): Promise<string | undefined> {
    const last = await manager.findOneBy(Secret, { name });
    await manager.upsert(Secret, { name, value }, ['name']);
    return last?.value;
  }

  async endAllOf({ manager }: Transaction, accountId: number): Promise<void> {
    await manager.delete(Session, { accountId });
  }
}
