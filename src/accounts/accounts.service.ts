import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/database.js';
import { AuditService } from '../history/audit.service.js';
import type { AuditEntry } from '../history/post-history.repository.js';
import { TokenUnknown } from '../http/pipeline/bearer-tokens.js';
import { type Author, includesRole, type Role } from '../http/request/author.js';
import { isUsername } from '../settings/credential-rules.js';
import { type Account, storedUsername, usernameKey } from './account.entity.js';
import { AccountNotFound, LastAdministrator, UsernameTaken } from './accounts.problems.js';
import { AccountsRepository } from './accounts.repository.js';
import { TOKEN_ROLES } from './api-token.entity.js';
import { ApiTokensRepository } from './api-tokens.repository.js';
import { PasswordHasher } from './password-hasher.js';
import { SessionsRepository } from './sessions.repository.js';

export interface NewAccount {
  readonly username: string;
  readonly password: string;
  readonly role: Role;
}

/** The values to change; undefined leaves a value unchanged. */
export interface AccountChange {
  readonly isEnabled?: boolean | undefined;
  readonly password?: string | undefined;
  readonly role?: Role | undefined;
}

@Injectable()
export class AccountsService {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly sessions: SessionsRepository,
    private readonly apiTokens: ApiTokensRepository,
    private readonly hasher: PasswordHasher,
    private readonly audit: AuditService,
  ) {}

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

  async isTaken(username: string): Promise<boolean> {
    return isUsername(username) && (await this.findByUsername(username)) !== null;
  }

  /**
   * @throws UsernameTaken
   * @throws TokenUnknown when the author is no longer an administrator
   */
  async add({ username, password, role }: NewAccount, author: Author): Promise<Account> {
    // Checked early to save the expensive hash. The unique index still decides.
    if (await this.findByUsername(username)) throw new UsernameTaken();
    const passwordHash = await this.hasher.hash(password);
    return this.asAdministrator(author, async (transaction) => {
      const account = await this.accounts.insert(transaction, {
        username: storedUsername(username),
        usernameKey: usernameKey(username),
        role,
        passwordHash,
        createdAt: new Date().toISOString(),
      });
      if (!account) throw new UsernameTaken();
      const entry: AuditEntry = { action: 'account_added', author, subject: account.username, detail: role };
      await this.audit.record(transaction, entry);
      return account;
    });
  }

  /**
   * Changes an account. Disabling it or setting its password ends its sessions on every instance. Disabling it also
   * revokes the API tokens it created; lowering its role revokes its tokens of a higher role. A new role applies to
   * existing sessions at once.
   *
   * @throws AccountNotFound
   * @throws LastAdministrator
   * @throws TokenUnknown when the author is no longer an administrator
   */
  async change(id: number, { isEnabled, password, role }: AccountChange, author: Author): Promise<Account> {
    const passwordHash = password === undefined ? undefined : await this.hasher.hash(password);
    return this.asAdministrator(author, async (transaction, administrators) => {
      const account = await this.accounts.find(id, transaction);
      if (!account) throw new AccountNotFound(id);
      if (administrators.length === 1 && administrators[0]!.id === id) {
        if (isEnabled === false) throw new LastAdministrator('is_enabled');
        if (role !== undefined && role !== 'administrator') throw new LastAdministrator('role');
      }
      await this.accounts.update(transaction, id, {
        role,
        passwordHash,
        isEnabled: isEnabled === undefined ? undefined : Number(isEnabled),
      });
      if (passwordHash !== undefined || isEnabled === false) await this.sessions.endAllOf(transaction, id);
      const revoked = TOKEN_ROLES.filter(
        (each) => isEnabled === false || (role && !includesRole(role, each)),
      );
      await this.apiTokens.deleteCreatedBy(transaction, account.username, revoked);
      const changed = (await this.accounts.find(id, transaction))!;
      for (const entry of entriesOf(account, changed, author)) await this.audit.record(transaction, entry);
      return changed;
    });
  }

  /**
   * Sets the password that the account's owner chose, and ends the account's sessions.
   *
   * @param verified the account as it was when its current password was verified
   * @returns undefined when the password was changed in the meantime
   */
  async changeOwnPassword(verified: Account, password: string, author: Author): Promise<Account | undefined> {
    const passwordHash = await this.hasher.hash(password);
    return this.accounts.transaction(async (transaction) => {
      if (!(await this.accounts.replacePassword(transaction, verified, passwordHash))) return undefined;
      await this.sessions.endAllOf(transaction, verified.id);
      const changed = (await this.accounts.find(verified.id, transaction))!;
      for (const entry of entriesOf(verified, changed, author)) await this.audit.record(transaction, entry);
      return changed;
    });
  }

  /**
   * Runs a unit of work reserved for administrators. The set of administrators is locked during it, so two
   * administrators that demote each other at the same time are serialized.
   *
   * @throws TokenUnknown when the author's account was disabled or demoted after the request was authenticated
   */
  asAdministrator<Result>(
    author: Author,
    work: (
      transaction: Transaction,
      administrators: readonly Pick<Account, 'id' | 'username'>[],
    ) => Promise<Result>,
  ): Promise<Result> {
    return this.accounts.transaction(async (transaction) => {
      const administrators = await this.accounts.lockAdministrators(transaction);
      const isOne = administrators.some(({ username }) => username === author.name);
      if (author.kind === 'account' && !isOne) throw new TokenUnknown();
      return work(transaction, administrators);
    });
  }
}

function entriesOf(before: Account, after: Account, author: Author): AuditEntry[] {
  const entry = { author, subject: after.username };
  const entries: AuditEntry[] = [];
  if (after.role !== before.role) entries.push({ ...entry, action: 'role_changed', detail: after.role });
  if (after.isEnabled !== before.isEnabled) {
    entries.push({ ...entry, action: after.isEnabled === 1 ? 'account_enabled' : 'account_disabled' });
  }
  if (after.passwordHash !== before.passwordHash) entries.push({ ...entry, action: 'password_changed' });
  return entries;
}
