/** Who is behind a request, as the history of the posts names them. */
export interface Author {
  /**
   * `api`: whoever asks the open API; `token`: an API token; `account`: a person who is logged in to the administration
   * site; `command`: the service itself, or one of its commands.
   */
  readonly kind: 'api' | 'token' | 'account' | 'command';
  /** The name of the token, the account or the command; undefined where there is none. */
  readonly name: string | undefined;
  /** Where the request came from, in the words of client-address.ts; undefined where it does not matter. */
  readonly address?: string | undefined;
  /** The entry of the change log that stands for all that one action of the author changes. */
  readonly partOf?: number | undefined;
}

/** Whoever did not say who they are. */
export const ANONYMOUS: Author = Object.freeze({ kind: 'api', name: undefined });

/** What an account or a token may do: each role may do all that the one before it may. */
export const ROLES = ['viewer', 'editor', 'administrator'] as const;
export type Role = (typeof ROLES)[number];

/** Whether a role may do what another one may. */
export function includesRole(role: Role, other: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(other);
}

/** A person's stay in the administration site. */
export interface Session {
  readonly id: string;
  /** As `Date.toISOString` writes it. */
  readonly expiresAt: string;
  readonly account: { readonly id: number; readonly username: string; readonly role: Role };
}

/** Whom a token stands for. */
export interface Bearer {
  /** The same for all tokens of one bearer, and never another's. */
  readonly id: string;
  readonly author: Author;
  /** As it is now: it is looked up at each request. */
  readonly role: Role;
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
