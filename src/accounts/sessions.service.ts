import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { AuditService } from '../history/audit.service.js';
import { ANONYMOUS, type Author, type LoginSession } from '../http/request/author.js';
import { LOGGER } from '../logging/logger.js';
import { isUsername } from '../settings/credential-rules.js';
import { type Account, usernameKey } from './account.entity.js';
import { LogInRefused, WrongCurrentPassword } from './accounts.problems.js';
import { AccountsRepository } from './accounts.repository.js';
import { FirstAccountService } from './first-account.service.js';
import { issueToken, SESSION_TOKEN, tokenDigest } from './issued-token.js';
import { LogInLimits } from './log-in-limits.js';
import { PasswordHasher } from './password-hasher.js';
import { SessionsRepository } from './sessions.repository.js';

const HOUR_MS = 60 * 60 * 1_000;

/** A session ends when it was not used for this time. */
const IDLE_MS = HOUR_MS;
/** A session ends after a working day, however much it is used. */
const LONGEST_MS = 12 * HOUR_MS;

/** The time at which a session that is used now will expire. */
export function extendedExpiry(begunAt: string, now: number): string {
  return new Date(Math.min(now + IDLE_MS, Date.parse(begunAt) + LONGEST_MS)).toISOString();
}

export interface NewSession {
  readonly token: string;
  readonly session: LoginSession;
}

@Injectable()
export class SessionsService {
  /** Since the start, for the metrics. */
  failedLogIns = 0;
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly sessions: SessionsRepository,
    private readonly hasher: PasswordHasher,
    private readonly limits: LogInLimits,
    private readonly firstAccount: FirstAccountService,
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
    await this.firstAccount.whenMade();
    const key = usernameKey(username);
    // PostgreSQL rejects text with U+0000, even in a query.
    const account = isUsername(username) ? await this.accounts.findByKey(key) : null;
    const isRight = await this.#check(key, password, account, client);
    const begun = isRight ? await this.#begin(account!, client) : undefined;
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
      await this.accounts.transaction((transaction) =>
        this.accounts.replacePassword(transaction, account, hash),
      );
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
    { account: { id, username } }: LoginSession,
    password: string,
    { address = '' }: Author,
  ): Promise<Account> {
    const account = await this.accounts.find(id);
    if (await this.#check(usernameKey(username), password, account, address)) return account!;
    throw new WrongCurrentPassword();
  }

  async logOut({ id }: LoginSession, author: Author): Promise<void> {
    await this.sessions.end({ id }, (transaction) =>
      this.audit.record(transaction, { action: 'logged_out', author }),
    );
  }

  /** Ends all sessions of the account, on every instance. */
  async logOutEverywhere({ account }: LoginSession, author: Author): Promise<void> {
    await this.sessions.end({ accountId: account.id }, (transaction) =>
      this.audit.record(transaction, { action: 'logged_out', author, detail: 'everywhere' }),
    );
  }

  /**
   * Does the same work for an unknown name, a wrong password and a disabled account.
   *
   * @returns whether the account is enabled and has the password
   */
  async #check(key: string, password: string, account: Account | null, client: string): Promise<boolean> {
    const attempt = this.limits.take(client, key);
    try {
      const stored = account?.isEnabled === 1 ? account.passwordHash : undefined;
      const isRight = await this.hasher.verify(password, stored, await this.accounts.passwordCosts());
      if (isRight) attempt.succeeded();
      else attempt.failed();
      return isRight;
    } catch (error) {
      attempt.abandoned();
      throw error;
    }
  }

  /** @returns undefined when the account changed since its password was verified */
  async #begin(account: Account, client: string): Promise<NewSession | undefined> {
    const now = Date.now();
    const begunAt = new Date(now).toISOString();
    const expiresAt = extendedExpiry(begunAt, now);
    const token = issueToken(SESSION_TOKEN);
    const id = tokenDigest(token)!;
    const author: Author = { kind: 'account', name: account.username, address: client };
    const hasBegun = await this.sessions.begin({ id, begunAt, expiresAt }, account, (transaction) =>
      this.audit.record(transaction, { action: 'logged_in', author }),
    );
    const { id: accountId, username, role } = account;
    return hasBegun
      ? { token, session: { id, expiresAt, account: { id: accountId, username, role } } }
      : undefined;
  }
}
