import { Injectable } from '@nestjs/common';
import { Database, type Queryable, type Transaction } from '../database/index.js';
import type { Client } from '../limits/index.js';
import { type AuditEntry, AuditService } from '../history/audit.service.js';
import { type Author, includesRole, type Role } from '../users/user.js';
import { InvalidRequest, NotFound, TokenUnknown, UniqueValues } from '../problem-details/index.js';
import { isEasyToGuess, isUsername, VARIETY_RULE } from '../settings/credential-rules.js';
import { Account, usernameKey } from './account.entity.js';
import { LastAdministrator, UsernameTaken, WrongCurrentPassword } from './accounts.problems.js';
import { TOKEN_ROLES } from './api-token.entity.js';
import { PasswordHasher } from './password-hasher.js';
import { assertMayStill, workWhileAllowed } from '../users/permissions.js';
import { Session } from './session.entity.js';
import { revokeTokens } from './tokens.repository.js';

type NewAccount = Pick<Account, 'username' | 'role'> & { readonly password: string };

/** The values to change; undefined leaves a value unchanged. */
export interface AccountChange {
  readonly isEnabled?: boolean | undefined;
  readonly password?: string | undefined;
  readonly role?: Role | undefined;
  /** Whether to revoke the API tokens that the account made. */
  readonly revokesTokens?: boolean | undefined;
}

/** The author of a change of accounts or tokens, and the client that waits for it. */
export interface Administrator {
  readonly author: Author;
  /** The author's account when its current password was verified; a command needs none. */
  readonly verified?: Account | undefined;
  /** The client that waits; undefined for a command. */
  readonly client?: Client | undefined;
}

const ADMINISTRATORS = { isEnabled: 1, role: 'administrator' } as const;

@Injectable()
export class AccountsService {
  constructor(
    private readonly database: Database,
    private readonly hasher: PasswordHasher,
    private readonly audit: AuditService,
    uniqueValues: UniqueValues,
  ) {
    uniqueValues.add({
      entity: Account,
      property: 'usernameKey',
      index: 'accounts_by_username_key',
      problemOf: () => new UsernameTaken(),
    });
  }

  /** @param client who waits for them; undefined for the service itself */
  list(client?: Client): Promise<Account[]> {
    const { manager } = this.database.readerOf(client);
    return manager.find(Account, { order: { usernameKey: 'ASC', id: 'ASC' } });
  }

  /** @throws NotFound */
  async findOrFail(id: number, { manager }: Queryable): Promise<Account> {
    const account = await manager.findOneBy(Account, { id });
    if (!account) throw new NotFound(`There is no account with the id ${id}.`);
    return account;
  }

  /** @param client who waits for it; undefined for the service itself */
  async findByUsername(username: string, client?: Client): Promise<Account | null> {
    // PostgreSQL rejects text with U+0000, even in a query.
    if (!isUsername(username)) return null;
    return this.database.readerOf(client).manager.findOneBy(Account, { usernameKey: usernameKey(username) });
  }

  /**
   * @throws InvalidRequest when the author's password was not verified, or the password is easy to guess
   * @throws UsernameTaken, or DatabaseFault `duplicate` when another one is added at the same time
   * @throws TokenUnknown when the author is no longer an administrator
   */
  async add({ username, password, role }: NewAccount, by: Administrator): Promise<Account> {
    const { author, verified, client } = by;
    assertConfirmed(author, verified);
    assertVaried(password, username, author);
    // Checked early to save the expensive hash. The unique index still decides.
    if (await this.findByUsername(username, client)) throw new UsernameTaken();
    const passwordHash = await this.hasher.hash(password);
    return this.asAdministrator(by, async (transaction) => {
      const account = await transaction.manager.save(Account, {
        // In canonical composition, so that equal names are equal strings.
        username: username.normalize('NFC'),
        usernameKey: usernameKey(username),
        passwordHash,
        role,
        isEnabled: 1,
        createdAt: new Date().toISOString(),
        lastLoginAt: null,
      });
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
   * A new password and a new administrator, also one who is enabled again, need the verified password of the author,
   * unless a command is the author.
   *
   * @throws NotFound
   * @throws InvalidRequest when it was not verified, or the password is easy to guess
   * @throws LastAdministrator
   * @throws TokenUnknown when the author is no longer an administrator
   */
  async change(id: number, change: AccountChange, by: Administrator): Promise<Account> {
    const { author, verified, client } = by;
    const { isEnabled, password, role } = change;
    if (password !== undefined) {
      assertConfirmed(author, verified);
      assertVaried(password, (await this.findOrFail(id, this.database.readerOf(client))).username, author);
    }
    const passwordHash = password === undefined ? undefined : await this.hasher.hash(password);
    return this.asAdministrator(by, async (transaction, administrators) => {
      const account = await this.findOrFail(id, transaction);
      // An account that is enabled gets its role again.
      const givenRole = role ?? (isEnabled ? account.role : undefined);
      const isAdministrator = administrators.some((each) => each.id === id);
      if (givenRole === 'administrator' && !isAdministrator) assertConfirmed(author, verified);
      if (isAdministrator && administrators.length === 1) {
        if (isEnabled === false) throw new LastAdministrator('is_enabled');
        if (role !== undefined && role !== 'administrator') throw new LastAdministrator('role');
      }
      const values = { role, passwordHash, isEnabled: Number(isEnabled ?? account.isEnabled) };
      await transaction.manager.update(Account, { id }, values);
      return this.#conclude(transaction, account, change, author);
    });
  }

  /**
   * Sets the password that the account's owner chose, and ends the account's sessions.
   *
   * @param verified the account as it was when its current password was verified
   * @param client who waits for it
   * @throws InvalidRequest when the password is easy to guess
   * @throws WrongCurrentPassword when the password was changed in the meantime
   */
  async changeOwnPassword(
    verified: Account,
    change: AccountChange & { readonly password: string },
    author: Author,
    client: Client,
  ): Promise<Account> {
    assertVaried(change.password, verified.username, author);
    const passwordHash = await this.hasher.hash(change.password);
    const replace = workWhileAllowed(author, 'viewer', async (transaction) => {
      const isStored = await this.replacePassword(transaction, verified, passwordHash);
      if (!isStored) throw new WrongCurrentPassword();
      return this.#conclude(transaction, verified, change, author);
    });
    return this.database.write(replace, client);
  }

  /**
   * Stores a new password, unless the account was disabled or its password changed since verification.
   *
   * @returns whether the password was stored
   */
  async replacePassword({ manager }: Transaction, verified: Account, passwordHash: string): Promise<boolean> {
    const { affected } = await manager.update(Account, unchanged(verified), { passwordHash });
    return affected === 1;
  }

  /** Ends the sessions and tokens that a change ends, and records it. @returns the account as it is now */
  async #conclude(
    transaction: Transaction,
    before: Account,
    { isEnabled, password, role, revokesTokens = false }: AccountChange,
    author: Author,
  ): Promise<Account> {
    const { manager } = transaction;
    const { id, username } = before;
    if (password !== undefined || isEnabled === false) await manager.delete(Session, { accountId: id });
    // Disabling an account and lowering its role imply this; the log has one entry for it.
    const lostRoles = TOKEN_ROLES.filter(
      (tokenRole) => isEnabled === false || (role && !includesRole(role, tokenRole)),
    );
    await revokeTokens(transaction, username, lostRoles);
    const revoked = await revokeTokens(transaction, username, revokesTokens ? TOKEN_ROLES : []);
    const after = await manager.findOneByOrFail(Account, { id });
    const revocations = revoked.map(({ name }): Change => ({ action: 'token_revoked', subject: name }));
    for (const entry of [...changesOf(before, after), ...revocations])
      await this.audit.record(transaction, { ...entry, author });
    return after;
  }

  /**
   * Runs a unit of work reserved for administrators. Until it ends, no other transaction can change which accounts are
   * enabled administrators: two that demote each other at the same time are serialized.
   *
   * @throws TokenUnknown when the author's account was disabled or demoted, or its session has ended, as it does with another
   *   password
   */
  asAdministrator<Result>(
    { author, client }: Administrator,
    work: (transaction: Transaction, administrators: readonly Account[]) => Promise<Result>,
  ): Promise<Result> {
    return this.database.write(async (transaction) => {
      // On PostgreSQL it locks their rows; on SQLite one transaction writes at a time.
      await transaction.manager.update(Account, ADMINISTRATORS, ADMINISTRATORS);
      const administrators = await transaction.manager.findBy(Account, ADMINISTRATORS);
      const isAdministrator = administrators.some(({ username }) => username === author.name);
      if (author.kind === 'account' && !isAdministrator) throw new TokenUnknown();
      await assertMayStill(transaction, author, 'administrator');
      return work(transaction, administrators);
    }, client);
  }
}

/** Matches the account while it is enabled and has the password that was verified. */
export function unchanged({ id, passwordHash }: Account): Pick<Account, 'id' | 'passwordHash' | 'isEnabled'> {
  return { id, passwordHash, isEnabled: 1 };
}

/**
 * Requires the current password of the author. A stolen session alone must not be enough to keep access.
 *
 * @throws InvalidRequest
 */
function assertConfirmed({ kind }: Author, verified: Account | undefined): void {
  if (kind === 'command' || verified) return;
  const detail = 'Your own current password is required to give a password or to make an administrator.';
  throw new InvalidRequest([{ detail, code: 'required', pointer: '/current_password' }]);
}

/** @throws InvalidRequest when a person chose a password with too few different characters beside the user name */
function assertVaried(password: string, username: string, { kind }: Author): void {
  if (kind === 'account' && isEasyToGuess(password, username))
    throw new InvalidRequest([
      { detail: `The value ${VARIETY_RULE}.`, code: 'malformed', pointer: '/password' },
    ]);
}

type Change = Omit<AuditEntry, 'author'>;

function changesOf(before: Account, { username: subject, role, isEnabled, passwordHash }: Account): Change[] {
  const changes: Change[] = [];
  if (role !== before.role) changes.push({ action: 'role_changed', subject, detail: role });
  if (isEnabled !== before.isEnabled)
    changes.push({ action: isEnabled === 1 ? 'account_enabled' : 'account_disabled', subject });
  if (passwordHash !== before.passwordHash) changes.push({ action: 'password_changed', subject });
  return changes;
}
