import type { Request } from 'express';
import { hash, timingSafeEqual } from 'node:crypto';
import { TokenUnknown, Unauthorized } from '../../problem-details/index.js';
import { ANONYMOUS_USER, type IssuedTokens } from '../../users/user.js';
import { clientOf } from '../client/client-address.js';
import type { Needs } from '../routes/route-table.js';

const TOKEN_MISSING = {
  session: 'This asks for "Authorization: Bearer <token>" with the token of a session.',
  token: 'Writing needs "Authorization: Bearer <token>".',
};

/**
 * Authenticates the bearer tokens of requests (RFC 6750): those of API_TOKENS, and those issued by the service for
 * sessions and programs. Without API_TOKENS, writing posts needs no token.
 */
export class BearerTokens {
  readonly #digests: readonly Buffer[];

  constructor(
    tokens: readonly string[],
    private readonly issued: IssuedTokens,
  ) {
    this.#digests = tokens.map((token) => hash('sha256', token, 'buffer'));
  }

  /**
   * Sets the user of a request. A token issued by this service must be valid even where none is required: a revoked
   * stolen token must not count as no token.
   *
   * @returns a promise only when the token must be queried; other requests do not wait
   * @throws Unauthorized
   */
  authenticate(request: Request, needs: Needs): Promise<void> | undefined {
    const token = /^Bearer +([\w.~+/-]+=*) *$/i.exec(request.headers.authorization ?? '')?.[1];
    const isConfigured = token !== undefined && this.#isConfigured(token);
    if (token !== undefined && !isConfigured && this.issued.isOurs(token)) {
      return this.#findUser(request, needs, token);
    }
    if (needs === 'nothing' || (needs === 'token' && this.#digests.length === 0)) return undefined;
    if (token === undefined) throw new Unauthorized(TOKEN_MISSING[needs], 'Bearer realm="posts"');
    if (needs === 'session' || !isConfigured) throw new TokenUnknown();
    request.user = { ...ANONYMOUS_USER, id: token };
    return undefined;
  }

  async #findUser(request: Request, needs: Needs, token: string): Promise<void> {
    const user = await this.issued.findUser(token);
    if (!user || (needs === 'session' && !user.session)) throw new TokenUnknown();
    request.user = { ...user, author: { ...user.author, address: clientOf(request.ip) } };
  }

  #isConfigured(token: string): boolean {
    if (this.#digests.length === 0) return false;
    const given = hash('sha256', token, 'buffer');
    // Digests have equal length and are compared in constant time, so the response time reveals nothing about a token.
    return this.#digests.filter((each) => timingSafeEqual(each, given)).length > 0;
  }
}
