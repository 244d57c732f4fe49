import { Injectable } from '@nestjs/common';
import type { Bearer, IssuedTokens } from '../http/request/author.js';
import { API_TOKEN_PREFIX, ApiTokensService } from './api-tokens.service.js';
import { SESSION_TOKEN_PREFIX } from './session-token.js';
import { SessionsService } from './sessions.service.js';

/** Resolves session tokens and API tokens to their owners, for the HTTP layer. */
@Injectable()
export class IssuedTokensService implements IssuedTokens {
  constructor(
    private readonly sessions: SessionsService,
    private readonly apiTokens: ApiTokensService,
  ) {}

  isOurs(token: string): boolean {
    return token.startsWith(SESSION_TOKEN_PREFIX) || token.startsWith(API_TOKEN_PREFIX);
  }

  async findBearer(token: string): Promise<Bearer | undefined> {
    if (token.startsWith(SESSION_TOKEN_PREFIX)) {
      const session = await this.sessions.find(token);
      if (!session) return undefined;
      const { id, username, role } = session.account;
      return { id: `account:${id}`, author: { kind: 'account', name: username }, role, session };
    }
    const apiToken = await this.apiTokens.use(token);
    if (!apiToken) return undefined;
    const { id, name, role } = apiToken;
    return { id: `token:${id}`, author: { kind: 'token', name }, role, session: undefined };
  }
}
