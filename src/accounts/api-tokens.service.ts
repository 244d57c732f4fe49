import { Injectable } from '@nestjs/common';
import { Database } from '../database/index.js';
import { type AuditEntry, AuditService } from '../history/audit.service.js';
import type { Client } from '../limits/index.js';
import { NotFound } from '../problem-details/index.js';
import type { Account } from './account.entity.js';
import { AccountsService, type Administrator } from './accounts.service.js';
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

  list(client: Client): Promise<ShownApiToken[]> {
    return this.database.readerOf(client).manager.find(ApiToken, { order: { id: 'ASC' } });
  }

  /**
   * Creates a token. Only this call returns the token itself.
   *
   * @param by the administrator who creates it, with a verified password
   * @throws TokenUnknown when the author is no longer an administrator
   */
  async create(
    { name, role, expiresAt }: Pick<ApiToken, 'name' | 'role' | 'expiresAt'>,
    by: Administrator & { readonly verified: Account },
  ): Promise<{ token: string; shown: ShownApiToken }> {
    const { author } = by;
    const token = issueToken(API_TOKEN);
    const shown = await this.accounts.asAdministrator(by, async (transaction) => {
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
  async revoke(id: number, by: Administrator): Promise<void> {
    const { author } = by;
    await this.accounts.asAdministrator(by, async (transaction) => {
      const { manager } = transaction;
      const token = await manager.findOneBy(ApiToken, { id });
      if (!token) throw new NotFound(`There is no API token with the id ${id}.`);
      await manager.delete(ApiToken, { id });
      await this.audit.record(transaction, { action: 'token_revoked', author, subject: token.name });
    });
  }
}
