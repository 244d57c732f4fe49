import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/database.js';
import { type AuditEntry, AuditService } from '../history/audit.service.js';
import { TokenUnknown } from '../http/pipeline/bearer-tokens.js';
import { type Author, includesRole, type Role } from '../http/request/author.js';
import { isEasyToGuess, isUsername } from '../settings/credential-rules.js';
import { type Account, storedUsername, usernameKey } from './account.entity.js';
import {
  AccountNotFound,
  CurrentPasswordMissing,
  GuessablePassword,
  LastAdministrator,
  UsernameTaken,
  WrongCurrentPassword,
} from './accounts.problems.js';
import { AccountsRepository, type Administrator } from './accounts.repository.js';
import { ApiToken, TOKEN_ROLES, type TokenRole } from './api-token.entity.js';
import { PasswordHasher } from './password-hasher.js';
import { Session } from './session.entity.js';

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
  /** Whether to revoke the API tokens that the account made. */
  readonly revokesTokens?: boolean | undefined;
}

@Injectable()
export class AccountsService {
  constructor(
    private readonly accounts: AccountsRepository,
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
   * @param verified the author's account when its current password was verified; a command needs none
   * @throws GuessablePassword
   * @throws UsernameTaken
   * @throws CurrentPasswordMissing
   * @throws TokenUnknown when the author is no longer an administrator
   */
  async add({ username, password, role }: NewAccount, author: Author, verified?: Account): Promise<Account> {
    assertConfirmed(author, verified);
    assertVaried(password, username, author);
    // Checked early to save the expensive hash. The unique index still decides.
    if (await this.findByUsername(username)) throw new UsernameTaken();
    const passwordHash = await this.hasher.hash(password);
    return this.asAdministrator(author, verified, async (transaction) => {
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
   * @param verified the author's account when its current password was verified; a new password and a new
   * administrator need it, unless a command is the author
   * @throws AccountNotFound
   * @throws CurrentPasswordMissing
   * @throws GuessablePassword
   * @throws LastAdministrator
   * @throws TokenUnknown when the author is no longer an administrator
   */
  async change(id: number, change: AccountChange, author: Author, verified?: Account): Promise<Account> {
    const { isEnabled, password, role } = change;
    if (password !== undefined) {
      assertConfirmed(author, verified);
      assertVaried(password, (await this.findOrFail(id)).username, author);
    }
    const passwordHash = password === undefined ? undefined : await this.hasher.hash(password);
    return this.asAdministrator(author, verified, async (transaction, administrators) => {
      const account = await this.accounts.find(id, transaction);
      if (!account) throw new AccountNotFound(id);
      if (role === 'administrator' && account.role !== role) assertConfirmed(author, verified);
      if (administrators.length === 1 && administrators[0]!.id === id) {
        if (isEnabled === false) throw new LastAdministrator('is_enabled');
        if (role !== undefined && role !== 'administrator') throw new LastAdministrator('role');
      }
      await this.accounts.update(transaction, id, {
        role,
        passwordHash,
        isEnabled: isEnabled === undefined ? undefined : Number(isEnabled),
      });
      if (passwordHash !== undefined || isEnabled === false) await endSessionsOf(transaction, id);
      // Disabling an account and lowering its role imply this; the log has one entry for it.
      const revoked = TOKEN_ROLES.filter(
        (each) => isEnabled === false || (role && !includesRole(role, each)),
      );
      await revokeTokensOf(transaction, account.username, revoked);
      return this.#recorded(transaction, account, change, author);
    });
  }

  /**
   * Sets the password that the account's owner chose, and ends the account's sessions.
   *
   * @param verified the account as it was when its current password was verified
   * @throws GuessablePassword
   * @throws WrongCurrentPassword when the password was changed in the meantime
   */
  async changeOwnPassword(
    verified: Account,
    change: AccountChange & { readonly password: string },
    author: Author,
  ): Promise<Account> {
    assertVaried(change.password, verified.username, author);
    const passwordHash = await this.hasher.hash(change.password);
    return this.accounts.transaction(async (transaction) => {
      if (!(await this.accounts.replacePassword(transaction, verified, passwordHash)))
        throw new WrongCurrentPassword();
      await endSessionsOf(transaction, verified.id);
      return this.#recorded(transaction, verified, change, author);
    });
  }

  /** Revokes the account's tokens if asked to, and records the change. @returns the account as it is now */
  async #recorded(
    transaction: Transaction,
    before: Account,
    { revokesTokens = false }: AccountChange,
    author: Author,
  ): Promise<Account> {
    const roles: readonly TokenRole[] = revokesTokens ? TOKEN_ROLES : [];
    const revoked = await revokeTokensOf(transaction, before.username, roles);
    const after = (await this.accounts.find(before.id, transaction))!;
    const entries: AuditEntry[] = [
      ...entriesOf(before, after, author),
      ...revoked.map(({ name }) => ({ action: 'token_revoked' as const, author, subject: name })),
    ];
    for (const entry of entries) await this.audit.record(transaction, entry);
    return after;
  }

  /**
   * Runs a unit of work reserved for administrators. The set of administrators is locked during it, so two
   * administrators that demote each other at the same time are serialized.
   *
   * @param verified the author's account when its current password was verified, if it was
   * @throws TokenUnknown when the author's account was disabled, demoted or given another password after that
   */
  asAdministrator<Result>(
    author: Author,
    verified: Account | undefined,
    work: (transaction: Transaction, administrators: readonly Administrator[]) => Promise<Result>,
  ): Promise<Result> {
    return this.accounts.transaction(async (transaction) => {
      const administrators = await this.accounts.lockAdministrators(transaction);
      const own = administrators.find(({ username }) => username === author.name);
      const isSame = !verified || own?.passwordHash === verified.passwordHash;
      if (author.kind === 'account' && !(own && isSame)) throw new TokenUnknown();
      return work(transaction, administrators);
    });
  }
}

async function endSessionsOf({ manager }: Transaction, accountId: number): Promise<void> {
  await manager.delete(Session, { accountId });
}

/** @param username as stored in the account @returns the revoked tokens */
async function revokeTokensOf(
  { manager }: Transaction,
  username: string,
  roles: readonly TokenRole[],
): Promise<ApiToken[]> {
  if (roles.length === 0) return [];
  const tokens = await manager.findBy(ApiToken, { createdBy: username });
  const revoked = tokens.filter(({ role }) => roles.includes(role));
  if (revoked.length > 0)
    await manager.delete(
      ApiToken,
      revoked.map(({ id }) => id),
    );
  return revoked;
}

/** @throws CurrentPasswordMissing */
function assertConfirmed({ kind }: Author, verified: Account | undefined): void {
  if (kind !== 'command' && !verified) throw new CurrentPasswordMissing();
}

/** @throws GuessablePassword when a person chose the password */
function assertVaried(password: string, username: string, { kind }: Author): void {
  if (kind === 'account' && isEasyToGuess(password, username)) throw new GuessablePassword();
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
