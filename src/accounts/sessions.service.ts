import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { LessThanOrEqual } from 'typeorm';
import { Database } from '../database/index.js';
import { AuditService } from '../history/audit.service.js';
import { workWhileAllowed } from '../users/permissions.js';
import { ANONYMOUS, type Author, type LoggedInUser, type LoginSession } from '../users/user.js';
import type { Client } from '../limits/index.js';
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
export class SessionsService implements OnModuleDestroy {
  /** Since the start, for the metrics. */
  failedLogIns = 0;
  /** Outdated hashes that are being renewed. */
  readonly #renewals = new Set<Promise<void>>();

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
   * @param client its name is its address, see client-address.ts
   * @throws LogInRefused
   * @throws TooManyLogIns
   */
  async logIn(username: string, password: string, client: Client): Promise<NewSession> {
    const { name: address } = client;
    let checked = await this.#checkAndBegin(username, password, client);
    // The account has changed since its password was verified. Another log-in may have renewed its hash.
    if (checked.isRight && !checked.begun) checked = await this.#checkAndBegin(username, password, client);
    const { account, begun } = checked;
    if (!account || !begun) {
      const unknown: Author = { ...ANONYMOUS, address };
      // The name is recorded only when the account exists, and never logged: people sometimes type their password as
      // the name.
      this.audit.count({ action: 'login_failed', author: unknown, subject: account?.username });
      this.failedLogIns += 1;
      this.logger.warn({ client: address, account_id: account?.id }, 'Login refused.');
      throw new LogInRefused();
    }
    this.logger.info({ client: address, account: account.username }, 'Logged in.');
    if (this.hasher.isOutdated(account.passwordHash)) this.#renew(account, password);
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
    { signal }: Client,
  ): Promise<Account> {
    const client: Client = { name: address, signal };
    const { account, isRight } = await this.#check(session.account.username, password, client);
    if (account && isRight) return account;
    throw new WrongCurrentPassword();
  }

  /**
   * Ends the session, or all sessions of its account, on every instance.
   *
   * @param client who waits for it
   * @throws TokenUnknown when it has ended meanwhile
   */
  logOut(
    { session: { id, account }, author }: LoggedInUser,
    client: Client,
    detail?: 'everywhere',
  ): Promise<void> {
    const end = workWhileAllowed(author, 'viewer', async (transaction) => {
      await transaction.manager.delete(Session, detail ? { accountId: account.id } : { id });
      await this.audit.record(transaction, { action: 'logged_out', author, detail });
    });
    return this.database.write(end, client);
  }

  /**
   * Does the same work for an unknown name, a wrong password and a disabled account.
   *
   * @returns the account of that name, and whether it is enabled and has the password
   */
  async #check(username: string, password: string, client: Client) {
    const key = usernameKey(username);
    const attempt = this.limits.take(client.name, key);
    try {
      const accounts = await this.accounts.list(client);
      const account = accounts.find((each) => each.usernameKey === key);
      const enabled = accounts.filter(({ isEnabled }) => isEnabled === 1);
      const stored = account?.isEnabled === 1 ? account.passwordHash : undefined;
      const others = enabled.map(({ passwordHash }) => passwordHash);
      const isRight = await this.hasher.verify(password, stored, others, client);
      if (isRight) attempt.succeeded();
      return { account, isRight };
    } catch (error) {
      attempt.abandoned();
      throw error;
    }
  }

  /**
   * Stores a hash at the current cost, in the background: the session has begun, whether this succeeds or not. When it
   * fails, the next log-in tries again.
   */
  #renew(account: Account, password: string): void {
    const renewal = this.hasher
      .hash(password)
      .then((hash) => this.database.write((writer) => this.accounts.replacePassword(writer, account, hash)))
      .catch((err: unknown) => {
        this.logger.warn({ err, account_id: account.id }, 'The hash of a password could not be renewed.');
      })
      .then(() => void this.#renewals.delete(renewal));
    this.#renewals.add(renewal);
  }

  /** Completes the writes before the database is closed. */
  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.#renewals);
  }

  /** @returns what `#check` returns, and the session if it could begin */
  async #checkAndBegin(username: string, password: string, client: Client) {
    const { account, isRight } = await this.#check(username, password, client);
    let begun: NewSession | undefined;
    if (account && isRight) begun = await this.#begin(account, client);
    return { account, isRight, begun };
  }

  /** @returns undefined when the account was disabled or its hash replaced since its password was verified */
  #begin(account: Account, client: Client): Promise<NewSession | undefined> {
    const { name: address } = client;
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
      const author: Author = { kind: 'account', name: username, address };
      await this.audit.record(transaction, { action: 'logged_in', author });
      return { token, session: { id, expiresAt, account: { id: accountId, username, role } } };
    }, client);
  }
}
