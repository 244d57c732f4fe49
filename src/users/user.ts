import type { Transaction } from '../database/index.js';
import type { Client } from '../limits/index.js';

/** A token that this service has issued: that of a session, or an API token. */
export interface Credential {
  /** Its role as the transaction sees it. @returns undefined when it is no longer valid */
  currentRole(transaction: Transaction): Promise<Role | undefined>;
}

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
  /** The token of the author; permissions.ts looks at it once more when a change is stored. */
  readonly credential?: Credential | undefined;
  /** Whether the author replaces a post by one of its earlier versions. */
  readonly restores?: boolean | undefined;
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

/** Who sends a request: `request.user`. */
export interface User {
  /** The same for all tokens of one user, and unique to it; undefined without a token. */
  readonly id: string | undefined;
  /** Every change is recorded in this name. */
  readonly author: Author;
  /** The current role; undefined for a user without a token of this service. */
  readonly role: Role | undefined;
  /** Undefined for a token that does not belong to a login session. */
  readonly session: LoginSession | undefined;
}

/** The user of an operation that requires a session. */
export type LoggedInUser = User & { readonly role: Role; readonly session: LoginSession };

export const ANONYMOUS_USER: User = Object.freeze({
  id: undefined,
  author: ANONYMOUS,
  role: undefined,
  session: undefined,
});

/** Finds the users of the tokens that this service has issued, for the HTTP layer. The room accounts provides it. */
export abstract class IssuedTokens {
  /** Whether the token looks like one of this service, whether or not it is valid. */
  abstract isOurs(token: string): boolean;

  /**
   * @param client who sends it, as far as is known before
   * @returns undefined when the token is unknown, or no longer valid
   * @throws TooBusy
   */
  abstract findUser(token: string, client: Client): Promise<User | undefined>;
}
