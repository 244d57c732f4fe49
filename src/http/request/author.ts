/** Who is behind a request, as the history of the posts names them. */
export interface Author {
  /**
   * `api`: whoever asks the open API; `token`: an API token; `account`: a person who is logged in to the administration
   * site; `command`: the service itself, or one of its commands.
   */
  readonly kind: 'api' | 'token' | 'account' | 'command';
  /** The name of the token, the account or the command; undefined where nobody has said one. */
  readonly name: string | undefined;
}

/** Whoever did not say who they are. */
export const ANONYMOUS: Author = Object.freeze({ kind: 'api', name: undefined });

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
