import { createHash, timingSafeEqual } from 'node:crypto';
import { Unauthorized } from '../../problem-details/problems.js';
import type { Bearer, IssuedTokens } from '../request/author.js';
import type { RequestContext } from '../request/request-context.js';
import type { Route, RouteOperation } from './route-table.js';

const CHALLENGE = 'Bearer realm="posts"';
const INVALID_TOKEN = `${CHALLENGE}, error="invalid_token"`;

/** Nobody has said who they are where they must. */
export class TokenMissing extends Unauthorized {
  constructor(route: Route) {
    super(
      route.needsSession
        ? 'This asks for "Authorization: Bearer <token>" with the token of a session.'
        : 'Writing here asks for "Authorization: Bearer <token>".',
      CHALLENGE,
    );
  }
}

/** A token that was never issued, has expired, or was revoked: nobody is told which. */
export class TokenUnknown extends Unauthorized {
  constructor() {
    super('The token is not known.', INVALID_TOKEN);
  }
}

/**
 * The tokens that requests come with (RFC 6750): those of API_TOKENS, and those that the service itself has issued, for
 * sessions and for programs. With none of API_TOKENS, nobody is asked for one who writes posts.
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
   * Lets a request in, and notes in its context who is behind it. One of our own tokens must be valid even where none is
   * asked for: whoever it was taken from must not go on unnoticed under no name.
   *
   * @param operation what the route does with the method; a method that the route does not have asks for no token
   * @returns a promise only where such a token has to be looked up: all others wait for nothing
   * @throws Unauthorized
   */
  admit(
    context: RequestContext,
    route: Route,
    operation: RouteOperation | undefined,
    authorization: string | undefined,
    isWrite: boolean,
  ): Promise<void> | undefined {
    const token = tokenOf(authorization);
    if (token !== undefined && this.issued.isOurs(token) && !this.#isConfigured(token)) {
      return this.#admitBearer(context, route, token);
    }
    if (!operation) return undefined;
    if (route.needsSession) throw token === undefined ? new TokenMissing(route) : new TokenUnknown();
    if (route.writesNeedToken && isWrite && this.#digests.length > 0) {
      if (token === undefined) throw new TokenMissing(route);
      if (!this.#isConfigured(token)) throw new TokenUnknown();
      context.bearerId = token;
    }
    return undefined;
  }

  async #admitBearer(context: RequestContext, route: Route, token: string): Promise<void> {
    const bearer: Bearer | undefined = await this.issued.findBearer(token);
    if (!bearer || (route.needsSession && !bearer.session)) throw new TokenUnknown();
    context.bearerId = bearer.id;
    context.author = bearer.author;
    context.session = bearer.session;
  }

  #isConfigured(token: string): boolean {
    if (this.#digests.length === 0) return false;
    const given = digest(token);
    // Digests have one length and are compared in constant time, so a response's time tells nothing of a token.
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
