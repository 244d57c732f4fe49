import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { hash, timingSafeEqual } from 'node:crypto';
import { TokenUnknown, Unauthorized } from '../../problem-details/index.js';
import { type Settings, SETTINGS } from '../../settings/settings.js';
import { ANONYMOUS_USER, IssuedTokens } from '../../users/user.js';
import type { AccessRule } from '../routes/access.js';

const SESSION_MISSING = 'This asks for "Authorization: Bearer <token>" with the token of a session.';
const TOKEN_MISSING = {
  'if-configured': 'Writing needs "Authorization: Bearer <token>".',
  always: 'This needs "Authorization: Bearer <token>".',
};

/**
 * Authenticates the bearer tokens of requests (RFC 6750): those of API_TOKENS, and those issued by the service for
 * sessions and programs.
 */
@Injectable()
export class BearerTokens {
  readonly #digests: readonly Buffer[];

  constructor(
    @Inject(SETTINGS) { apiTokens }: Pick<Settings, 'apiTokens'>,
    private readonly issued: IssuedTokens,
  ) {
    this.#digests = apiTokens.map((token) => hash('sha256', token, 'buffer'));
  }

  /**
   * Sets the user of a request with a token that this service has issued. The token must be valid even where none is
   * required: a revoked stolen token must not count as no token.
   *
   * @returns a promise only when a token must be looked up; other requests do not wait
   * @throws TokenUnknown
   */
  authenticate(request: Request): Promise<void> | undefined {
    const token = tokenOf(request);
    return token !== undefined && this.issued.isOurs(token) && !this.#isConfigured(token)
      ? this.#findUser(request, token)
      : undefined;
  }

  /**
   * Asserts that a request has the token or the session that a rule requires. The role is another question.
   *
   * @throws Unauthorized
   */
  assertHolds(request: Request, rule: AccessRule): void {
    if ('anyone' in rule) return;
    const isSession = 'session' in rule;
    const token = tokenOf(request);
    if (request.user.id === undefined && token !== undefined && this.#isConfigured(token))
      request.user = { ...ANONYMOUS_USER, id: token };
    const { user } = request;
    if (isSession ? user.session : user.id !== undefined) return;
    const isOpen = !isSession && rule.token === 'if-configured' && this.#digests.length === 0;
    if (isOpen) return;
    if (token !== undefined) throw new TokenUnknown();
    throw new Unauthorized(isSession ? SESSION_MISSING : TOKEN_MISSING[rule.token], 'Bearer realm="posts"');
  }

  async #findUser(request: Request, token: string): Promise<void> {
    const { client } = request.context;
    const user = await this.issued.findUser(token, client);
    if (!user) throw new TokenUnknown();
    request.user = { ...user, author: { ...user.author, address: client.address } };
  }

  #isConfigured(token: string): boolean {
    if (this.#digests.length === 0) return false;
    const given = hash('sha256', token, 'buffer');
    // Digests have equal length and are compared in constant time, so the response time reveals nothing about a token.
    return this.#digests.filter((each) => timingSafeEqual(each, given)).length > 0;
  }
}

function tokenOf({ headers }: Request): string | undefined {
  return /^Bearer +([\w.~+/-]+=*) *$/i.exec(headers.authorization ?? '')?.[1];
}
