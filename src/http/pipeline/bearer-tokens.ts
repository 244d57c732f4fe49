import type { Request } from 'express';
import { createHash, timingSafeEqual } from 'node:crypto';
import { Unauthorized } from '../../problem-details/problems.js';
import { ANONYMOUS_USER, type IssuedTokens } from '../request/author.js';
import { clientOf } from '../request/client-address.js';
import { type Needs, needsFor, type Route } from './route-table.js';

const CHALLENGE = 'Bearer realm="posts"';
const INVALID_TOKEN = `${CHALLENGE}, error="invalid_token"`;

/** 401: the request has no token but needs one. */
export class TokenMissing extends Unauthorized {
  constructor(needs: Needs) {
    super(
      needs === 'session'
        ? 'This asks for "Authorization: Bearer <token>" with the token of a session.'
        : 'Writing needs "Authorization: Bearer <token>".',
      CHALLENGE,
    );
  }
}

/** 401: the token was never issued, has expired, or was revoked. The response does not tell which. */
export class TokenUnknown extends Unauthorized {
  constructor() {
    super('The token is not known.', INVALID_TOKEN);
  }
}

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
    this.#digests = tokens.map(digest);
  }

  /**
   * Sets the user of a request. A token issued by this service must be valid even where none is required: a revoked
   * stolen token must not count as no token.
   *
   * @returns a promise only when the token must be queried; other requests do not wait
   * @throws Unauthorized
   */
  authenticate(request: Request, route: Route): Promise<void> | undefined {
    const token = tokenOf(request.headers.authorization);
    const needs = needsFor(route, request.method);
    if (token !== undefined && this.issued.isOurs(token) && !this.#isConfigured(token)) {
      return this.#findUser(request, needs, token);
    }
    if (needs === 'session') {
      throw token === undefined ? new TokenMissing(needs) : new TokenUnknown();
    }
    if (needs === 'token' && this.#digests.length > 0) {
      if (token === undefined) throw new TokenMissing(needs);
      if (!this.#isConfigured(token)) throw new TokenUnknown();
      request.user = { ...ANONYMOUS_USER, id: token };
    }
    return undefined;
  }

  async #findUser(request: Request, needs: Needs, token: string): Promise<void> {
    const user = await this.issued.findUser(token);
    if (!user || (needs === 'session' && !user.session)) throw new TokenUnknown();
    request.user = { ...user, author: { ...user.author, address: clientOf(request.ip) } };
  }

  #isConfigured(token: string): boolean {
    if (this.#digests.length === 0) return false;
    const given = digest(token);
    // Digests have equal length and are compared in constant time, so the response time reveals nothing about a token.
    return this.#digests.filter((each) => timingSafeEqual(each, given)).length > 0;
  }
}

function tokenOf(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  return /^Bearer +([\w.~+/-]+=*) *$/i.exec(authorization)?.[1];
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
