import type { Author } from '../request/author.js';

/** A person's stay in the administration site. */
export interface Session {
  readonly id: string;
  /** As `Date.toISOString` writes it. */
  readonly expiresAt: string;
  readonly account: { readonly id: number; readonly username: string };
}

/** Whom a token stands for. */
export interface Bearer {
  /** The same for all tokens of one bearer, and never another's. */
  readonly id: string;
  readonly author: Author;
  /** Undefined when it is not a person that is logged in. */
  readonly session: Session | undefined;
}

/** The tokens that the service itself has issued, as HTTP sees them. */
export interface IssuedTokens {
  /** Tells by its first characters whether a token was issued here, be it valid or not. */
  isOurs(token: string): boolean;
  /** @returns undefined when the token is not valid, or not any more */
  findBearer(token: string): Promise<Bearer | undefined>;
}
