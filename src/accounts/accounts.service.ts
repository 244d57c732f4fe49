import { Injectable } from '@nestjs/common';
import type { Account } from './account.entity.js';
import { AccountNotFound, LastAccount, UsernameTaken } from './accounts.problems.js';
import { AccountsRepository } from './accounts.repository.js';
import { ApiTokensRepository } from './api-tokens.repository.js';
import { PasswordHasher } from './password-hasher.js';
import { SessionsRepository } from './sessions.repository.js';
import { storedUsername, usernameKey } from './username.js';

/** What is to be different; what is undefined stays as it is. */
export interface AccountChange {
  readonly isEnabled?: boolean | undefined;
  readonly password?: string | undefined;
}

/** The people who may enter the administration site. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly sessions: SessionsRepository,
    private readonly apiTokens: ApiTokensRepository,
    private readonly hasher: PasswordHasher,
  ) {}

  /** All of them, by their user names. */
  list(): Promise<Account[]> {
    return this.accounts.list();
  }

  /** @throws AccountNotFound */
  async findOrFail(id: number): Promise<Account> {
    const account = await this.accounts.find(id);
    if (!account) throw new AccountNotFound(id);
    return account;
  }

  findByUsername(username: string): Promise<Account | null> {
    return this.accounts.findByKey(usernameKey(username));
  }

  /** @throws UsernameTaken */
  async add(username: string, password: string): Promise<Account> {
    // Looked at before the work is done, and decided by the database.
    if (await this.findByUsername(username)) throw new UsernameTaken();
    const account = await this.accounts.insert({
      username: storedUsername(username),
      usernameKey: usernameKey(username),
      passwordHash: await this.hasher.hash(password),
      createdAt: new Date().toISOString(),
    });
    if (!account) throw new UsernameTaken();
    return account;
  }

  /**
   * Changes an account. Disabling it, or giving it a password, ends its sessions on every instance. Disabling it also
   * revokes the API tokens that it has made.
   *
   * @throws AccountNotFound
   * @throws LastAccount
   */
  async change(id: number, { isEnabled, password }: AccountChange): Promise<Account> {
    const passwordHash = password === undefined ? undefined : await this.hasher.hash(password);
    return this.accounts.transaction(async (transaction) => {
      const enabled = await this.accounts.lockEnabled(transaction);
      const account = await this.accounts.find(id, transaction);
      if (!account) throw new AccountNotFound(id);
      if (isEnabled === false && enabled.every((each) => each === id)) throw new LastAccount();
      if (passwordHash !== undefined) await this.accounts.setPassword(transaction, id, passwordHash);
      if (isEnabled !== undefined) await this.accounts.setEnabled(transaction, id, isEnabled);
      if (passwordHash !== undefined || isEnabled === false) await this.sessions.endAllOf(transaction, id);
      if (isEnabled === false) await this.apiTokens.deleteCreatedBy(transaction, account.username);
      return (await this.accounts.find(id, transaction))!;
    });
  }
}
