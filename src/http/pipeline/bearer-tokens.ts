import type { Request } from 'express';
import { createHash, timingSafeEqual } from 'node:crypto';
import { CATALOGUE } from '../../problem-details/catalogue.js';
import { Problem } from '../../problem-details/problem.js';
import { Unauthorized } from '../../problem-details/problems.js';
import { includesRole, type IssuedTokens, type Role } from '../request/author.js';
import { clientOf } from '../request/client-address.js';
import { type AccessRule, accessRuleOf, type RouteOperation } from './route-table.js';

const CHALLENGE = 'Bearer realm="posts"';
const INVALID_TOKEN = `${CHALLENGE}, error="invalid_token"`;

/** 401: the request has no token but needs one. */
export class TokenMissing extends Unauthorized {
  constructor(needs: AccessRule['needs']) {
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

/** 403: the role of the request's account or token is too low. */
export class RoleMissing extends Problem {
  constructor(needed: Role, role: Role) {
    super(CATALOGUE.roleMissing, { detail: `This request needs the role ${needed}; your role is ${role}.` });
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
   * Authorizes a request and stores its author in the context. A token issued by this service must be valid even where
   * none is required: a revoked stolen token must not count as no token.
   *
   * @param operation the route's operation for the method; a method that the route does not have needs no token
   * @returns a promise only when the token must be queried; other requests do not wait
   * @throws Unauthorized
   * @throws RoleMissing
   */
  authorize(request: Request, operation: RouteOperation | undefined): Promise<void> | undefined {
    const token = tokenOf(request.headers.authorization);
    const rule = accessRuleOf(operation);
    if (token !== undefined && this.issued.isOurs(token) && !this.#isConfigured(token)) {
      return this.#authorizeBearer(request, rule, token);
    }
    if (rule.needs === 'session') {
      throw token === undefined ? new TokenMissing(rule.needs) : new TokenUnknown();
    }
    if (rule.needs === 'token' && this.#digests.length > 0) {
      if (token === undefined) throw new TokenMissing(rule.needs);
      if (!this.#isConfigured(token)) throw new TokenUnknown();
      request.context.bearerId = token;
    }
    return undefined;
  }

  async #authorizeBearer(
    { context, ip }: Request,
    { needs, role }: AccessRule,
    token: string,
  ): Promise<void> {
    const bearer = await this.issued.findBearer(token);
    if (!bearer || (needs === 'session' && !bearer.session)) throw new TokenUnknown();
    if (role !== undefined && !includesRole(bearer.role, role)) throw new RoleMissing(role, bearer.role);
    context.bearerId = bearer.id;
    context.author = { ...bearer.author, address: clientOf(ip) };
    context.session = bearer.session;
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
