import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { LessThanOrEqual } from 'typeorm';
import { Database } from '../database/database.js';
import { AuditService } from '../history/audit.service.js';
import { ANONYMOUS, type Author, type LoggedInUser, type LoginSession } from './author.js';
import { LOGGER } from '../logging/logger.js';
import { Account, usernameKey } from './account.entity.js';
import { LogInRefused, WrongCurrentPassword } from './accounts.problems.js';
import { AccountsService, unchanged } from './accounts.service.js';
import { LogInLimits } from './log-in-limits.js';
import { PasswordHasher } from './password-hasher.js';
import { Session } from './session.entity.js';
import { extendedExpiry, issueToken, SESSION_TOKEN, tokenDigest } from './tokens.repository.js';

type NewSession = Readonly<{ token: string; session: LoginSession }>;

@Injectable()
export class SessionsService {
  /** Since the start, for the metrics. */
  failedLogIns = 0;

  constructor(
    private readonly accounts: AccountsService,
    private readonly database: Database,
    private readonly hasher: PasswordHasher,
    private readonly limits: LogInLimits,
    private readonly audit: AuditService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Begins a session.
   *
   * @param client as client-address.ts names the client
   * @throws LogInRefused
   * @throws TooManyLogIns
   */
  async logIn(username: string, password: string, client: string): Promise<NewSession> {
    const { account, isRight } = await this.#check(username, password, client);
    const begun = account && isRight ? await this.#begin(account, client) : undefined;
    if (!account || !begun) {
      const unknown: Author = { ...ANONYMOUS, address: client };
      // The name is recorded only when the account exists, and never logged: people sometimes type their password as
      // the name.
      this.audit.count({ action: 'login_failed', author: unknown, subject: account?.username });
      this.failedLogIns += 1;
      this.logger.warn({ client, account_id: account?.id }, 'Login refused.');
      throw new LogInRefused();
    }
    this.logger.info({ client, account: account.username }, 'Logged in.');
    if (this.hasher.isOutdated(account.passwordHash)) {
      const hash = await this.hasher.hash(password);
      await this.database.write((transaction) => this.accounts.replacePassword(transaction, account, hash));
    }
    return begun;
  }

  /**
   * Verifies the current password of the logged-in account. Attempts are limited as for logging in.
   *
   * @returns the account at that time
   * @throws WrongCurrentPassword
   * @throws TooManyLogIns
   */
  async verifyPassword(
    { session, author: { address = '' } }: LoggedInUser,
    password: string,
  ): Promise<Account> {
    const { account, isRight } = await this.#check(session.account.username, password, address);
    if (account && isRight) return account;
    throw new WrongCurrentPassword();
  }

  /** Ends the session, or all sessions of its account, on every instance. */
  logOut({ session: { id, account }, author }: LoggedInUser, detail?: 'everywhere'): Promise<void> {
    return this.database.write(async (transaction) => {
      await transaction.manager.delete(Session, detail ? { accountId: account.id } : { id });
      await this.audit.record(transaction, { action: 'logged_out', author, detail });
    });
  }

  /**
   * Does the same work for an unknown name, a wrong password and a disabled account.
   *
   * @returns the account of that name, and whether it is enabled and has the password
   */
  async #check(username: string, password: string, client: string) {
    const key = usernameKey(username);
    const attempt = this.limits.take(client, key);
    try {
      const accounts = await this.accounts.list();
      const account = accounts.find((each) => each.usernameKey === key);
      const enabled = accounts.filter(({ isEnabled }) => isEnabled === 1);
      const stored = enabled.find((each) => each === account)?.passwordHash;
      const others = enabled.map(({ passwordHash }) => passwordHash);
      const isRight = await this.hasher.verify(password, stored, others);
      if (isRight) attempt.succeeded();
      return { account, isRight };
    } catch (error) {
      attempt.abandoned();
      throw error;
    }
  }

  /** @returns undefined when the account was disabled or its password changed since its password was verified */
  #begin(account: Account, client: string): Promise<NewSession | undefined> {
    const { id: accountId, username, role } = account;
    const now = Date.now();
    const begunAt = new Date(now).toISOString();
    const expiresAt = extendedExpiry(begunAt, now);
    const token = issueToken(SESSION_TOKEN);
    const id = tokenDigest(token);
    return this.database.write(async (transaction) => {
      const { manager } = transaction;
      // On PostgreSQL this update also locks the account: a transaction that disables it waits for this one and then ends
      // this session too.
      const { affected } = await manager.update(Account, unchanged(account), { lastLoginAt: begunAt });
      if (affected === 0) return undefined;
      await manager.delete(Session, { expiresAt: LessThanOrEqual(begunAt) });
      await manager.insert(Session, { id, accountId, begunAt, expiresAt });
      const author: Author = { kind: 'account', name: username, address: client };
      await this.audit.record(transaction, { action: 'logged_in', author });
      return { token, session: { id, expiresAt, account: { id: accountId, username, role } } };
    });
  }
}
