import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { AuditService } from '../history/audit.service.js';
import { ANONYMOUS, type Author, type LoginSession } from '../http/request/author.js';
import { LOGGER } from '../logging/logger.js';
import { isUsername } from '../settings/credential-rules.js';
import { type Account, usernameKey } from './account.entity.js';
import { LogInRefused } from './accounts.problems.js';
import { AccountsRepository } from './accounts.repository.js';
import { FirstAccountService } from './first-account.service.js';
import { LogInLimits } from './log-in-limits.js';
import { PasswordHasher } from './password-hasher.js';
import { issueSessionToken, readSessionToken } from './session-token.js';
import { SessionsRepository } from './sessions.repository.js';

const SESSION_MS = 60 * 60 * 1_000;

const SECRET_NAME = 'session-tokens';
const SECRET_BYTES = 32;

export interface NewSession {
  readonly token: string;
  readonly session: LoginSession;
}

@Injectable()
export class SessionsService implements OnModuleInit {
  #secret: Buffer | undefined;

  constructor(
    private readonly accounts: AccountsRepository,
    private readonly sessions: SessionsRepository,
    private readonly hasher: PasswordHasher,
    private readonly limits: LogInLimits,
    private readonly firstAccount: FirstAccountService,
    private readonly audit: AuditService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onModuleInit(): Promise<void> {
    const made = randomBytes(SECRET_BYTES).toString('base64url');
    this.#secret = Buffer.from(await this.sessions.findOrKeepSecret(SECRET_NAME, made), 'base64url');
  }

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
    const begun = isRight && account?.isEnabled === 1 ? await this.#begin(account, client) : undefined;
    if (!account || !begun) {
      const unknown: Author = { ...ANONYMOUS, address: client };
      // The name is recorded only when the account exists, and never logged: people sometimes type their password as
      // the name.
      this.audit.count({ action: 'login_failed', author: unknown, subject: account?.username });
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
   * @returns the account at that time, if the password is right
   * @throws TooManyLogIns
   */
  async verifyPassword(
    { account: { id } }: LoginSession,
    password: string,
    author: Author,
  ): Promise<Account | undefined> {
    const { address = '' } = author;
    const account = await this.accounts.find(id);
    if (!account) return undefined;
    if (await this.#check(account.usernameKey, password, account, address)) return account;
    this.audit.count({ action: 'login_failed', author, subject: account.username });
    return undefined;
  }

  /** @returns undefined when the token is forged or expired, or its session has ended */
  async find(token: string): Promise<LoginSession | undefined> {
    const claim = readSessionToken(token, this.#secret!);
    const now = Date.now();
    if (!claim || claim.expiresAt <= now) return undefined;
    const owner = await this.sessions.findOwner(claim.id, new Date(now).toISOString());
    if (!owner) return undefined;
    return {
      id: claim.id,
      expiresAt: new Date(claim.expiresAt).toISOString(),
      account: { id: owner.accountId, username: owner.username, role: owner.role },
    };
  }

  async logOut({ id }: LoginSession, author: Author): Promise<void> {
    await this.sessions.end(id, (transaction) =>
      this.audit.record(transaction, { action: 'logged_out', author }),
    );
  }

  /** Does the same work for an unknown name, a wrong password and a disabled account. */
  async #check(key: string, password: string, account: Account | null, client: string): Promise<boolean> {
    const attempt = this.limits.take(client, key);
    try {
      const isRight = await this.hasher.verify(password, account?.passwordHash);
      if (isRight && account?.isEnabled === 1) attempt.succeeded();
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
    const { token, claim } = issueSessionToken(now + SESSION_MS, this.#secret!);
    const session: LoginSession = {
      id: claim.id,
      expiresAt: new Date(claim.expiresAt).toISOString(),
      account: { id: account.id, username: account.username, role: account.role },
    };
    const author: Author = { kind: 'account', name: account.username, address: client };
    const hasBegun = await this.sessions.begin(session, account, new Date(now).toISOString(), (transaction) =>
      this.audit.record(transaction, { action: 'logged_in', author }),
    );
    return hasBegun ? { token, session } : undefined;
  }
}
