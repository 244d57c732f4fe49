import { createHash, timingSafeEqual } from 'node:crypto';
import { Unauthorized } from '../problem-details/problems.js';

const CHALLENGE = 'Bearer realm="posts"';

/** The tokens that writes ask for (RFC 6750); with none of them, nobody is asked. */
export class BearerTokens {
  readonly #digests: readonly Buffer[];

  constructor(tokens: readonly string[]) {
    this.#digests = tokens.map(digest);
  }

  /**
   * @returns the token; undefined when nobody is asked for one
   * @throws Unauthorized
   */
  assertKnown(authorization: string | undefined): string | undefined {
    if (this.#digests.length === 0) return undefined;
    const token = /^Bearer +([\w.~+/-]+=*) *$/i.exec(authorization ?? '')?.[1];
    if (token === undefined)
      throw new Unauthorized('Writing here asks for "Authorization: Bearer <token>".', CHALLENGE);
    const given = digest(token);
    // Digests have one length and are compared in constant time, so an answer's time tells nothing of a token.
    const known = this.#digests.filter((each) => timingSafeEqual(each, given)).length > 0;
    if (!known) throw new Unauthorized('The token is not known.', `${CHALLENGE}, error="invalid_token"`);
    return token;
  }
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
