import { Injectable } from '@nestjs/common';
import { LessThan, LessThanOrEqual } from 'typeorm';
import { CompiledQuery } from '../database/compiled-query.js';
import { Database, type Transaction, type Work } from '../database/database.js';
import type { Role } from '../http/request/author.js';
import { Account } from './account.entity.js';
import { Session } from './session.entity.js';

export interface SessionOwner {
  readonly accountId: number;
  readonly username: string;
  readonly role: Role;
  readonly begunAt: string;
  readonly expiresAt: string;
}

/** The one place that builds queries on sessions. */
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
        .addSelect('session.begunAt', 'begunAt')
        .addSelect('session.expiresAt', 'expiresAt')
        .where('session.id = :id AND session.expiresAt > :now AND account.isEnabled = 1'),
      ['id', 'now'],
    );
  }

  /**
   * Begins a session of an account, and deletes expired sessions.
   *
   * @param account as it was when its password was verified
   * @param onBegun runs in the same transaction
   * @returns false when the account was disabled or its password changed in the meantime
   */
  begin(session: Omit<Session, 'accountId'>, account: Account, onBegun: Work<unknown>): Promise<boolean> {
    const { id: accountId, passwordHash } = account;
    const { begunAt } = session;
    return this.database.write(async (transaction) => {
      const { manager } = transaction;
      // The account may have changed since the password was verified. On PostgreSQL this update also locks the account:
      // a transaction that disables it waits for this one and then ends this session too.
      const verified = { id: accountId, isEnabled: 1, passwordHash };
      const { affected } = await manager.update(Account, verified, { lastLoginAt: begunAt });
      if (affected === 0) return false;
      await manager.delete(Session, { expiresAt: LessThanOrEqual(begunAt) });
      await manager.insert(Session, { ...session, accountId });
      await onBegun(transaction);
      return true;
    });
  }

  /** @returns undefined when the session has ended or its account is disabled */
  async findOwner(id: string, now: string): Promise<SessionOwner | undefined> {
    const [owner] = await this.database.reader.all<SessionOwner>(this.#findOwner, { id, now });
    return owner;
  }

  /** Extends a session that was used. A session that has ended meanwhile stays so. */
  async extend(id: string, expiresAt: string): Promise<void> {
    // Another instance may have stored a later time.
    await this.database.write(({ manager }) =>
      manager.update(Session, { id, expiresAt: LessThan(expiresAt) }, { expiresAt }),
    );
  }

  /**
   * Ends one session, or all of an account.
   *
   * @param onEnded runs in the same transaction
   */
  async end(which: { id: string } | { accountId: number }, onEnded: Work<unknown>): Promise<void> {
    await this.database.write(async (transaction) => {
      await transaction.manager.delete(Session, which);
      await onEnded(transaction);
    });
  }

  async endAllOf({ manager }: Transaction, accountId: number): Promise<void> {
    await manager.delete(Session, { accountId });
  }
}
