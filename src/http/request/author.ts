/** The author of a request, as the history of the posts names it. */
export interface Author {
  /**
   * `api`: an anonymous client of the open API; `token`: an API token; `account`: a person logged in to the
   * administration site; `command`: the service itself or one of its commands.
   */
  readonly kind: 'api' | 'token' | 'account' | 'command';
  /** The name of the token, the account or the command; undefined for an anonymous client. */
  readonly name: string | undefined;
  /** The client's address in the form of client-address.ts; undefined where it does not matter. */
  readonly address?: string | undefined;
  /** The change log entry that covers everything one action of the author changes. */
  readonly partOf?: number | undefined;
}

export const ANONYMOUS: Author = Object.freeze({ kind: 'api', name: undefined });

/** The roles of accounts and tokens. Each role includes the permissions of the previous one. */
export const ROLES = ['viewer', 'editor', 'administrator'] as const;
export type Role = (typeof ROLES)[number];

export function includesRole(role: Role, other: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(other);
}

/** A session of the administration site, with its account. (The entity `Session` is its row in the database.) */
export interface LoginSession {
  readonly id: string;
  /** In the format of `Date.toISOString`. */
  readonly expiresAt: string;
  readonly account: { readonly id: number; readonly username: string; readonly role: Role };
}

export interface Bearer {
  /** The same for all tokens of one bearer, and unique to it. */
  readonly id: string;
  readonly author: Author;
  /** The current role, queried at each request. */
  readonly role: Role;
  /** Undefined for a token that does not belong to a login session. */
  readonly session: LoginSession | undefined;
}

/** The HTTP layer's view of the tokens that the service has issued. */
export interface IssuedTokens {
  /** Whether the token's prefix marks it as issued by this service, valid or not. */
  isOurs(token: string): boolean;
  /** @returns undefined when the token is not, or no longer, valid */
  findBearer(token: string): Promise<Bearer | undefined>;
}
