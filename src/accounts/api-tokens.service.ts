import { Injectable } from '@nestjs/common';
import { Database } from '../database/index.js';
import { type AuditEntry, AuditService } from '../history/audit.service.js';
import type { Author } from '../users/user.js';
import { NotFound } from '../problem-details/index.js';
import type { Account } from './account.entity.js';
import { AccountsService } from './accounts.service.js';
import { ApiToken } from './api-token.entity.js';
import { API_TOKEN, issueToken, tokenDigest } from './tokens.repository.js';

export type ShownApiToken = Omit<ApiToken, 'digest'>;

@Injectable()
export class ApiTokensService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsService,
    private readonly audit: AuditService,
  ) {}

  list(): Promise<ShownApiToken[]> {
    return this.database.reader.manager.find(ApiToken, { order: { id: 'ASC' } });
  }

  /**
   * Creates a token. Only this call returns the token itself.
   *
   * @param author the administrator who creates it
   * @param verified the author's account when its current password was verified
   * @throws TokenUnknown when the author is no longer an administrator
   */
  async create(
    { name, role, expiresAt }: Pick<ApiToken, 'name' | 'role' | 'expiresAt'>,
    author: Author,
    verified: Account,
  ): Promise<{ token: string; shown: ShownApiToken }> {
    const token = issueToken(API_TOKEN);
    const shown = await this.accounts.asAdministrator(author, verified, async (transaction) => {
      const created = await transaction.manager.save(ApiToken, {
        name: name.normalize('NFC'),
        hint: token.slice(-4),
        digest: tokenDigest(token),
        role,
        createdAt: new Date().toISOString(),
        createdBy: author.name!,
        expiresAt,
        lastUsedAt: null,
      });
      const entry: AuditEntry = { action: 'token_created', author, subject: created.name, detail: role };
      await this.audit.record(transaction, entry);
      return created;
    });
    return { token, shown };
  }

  /**
   * @throws NotFound
   * @throws TokenUnknown when the author is no longer an administrator
   */
  async revoke(id: number, author: Author): Promise<void> {
    await this.accounts.asAdministrator(author, undefined, async (transaction) => {
      const { manager } = transaction;
      const token = await manager.findOneBy(ApiToken, { id });
      if (!token) throw new NotFound(`There is no API token with the id ${id}.`);
      await manager.delete(ApiToken, { id });
      await this.audit.record(transaction, { action: 'token_revoked', author, subject: token.name });
    });
  }
}
