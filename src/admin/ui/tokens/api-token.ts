/** A token as the service lists it: not the token itself, which it does not know. */
export interface ApiToken {
  readonly id: number;
  readonly name: string;
  readonly role: 'viewer' | 'editor';
  /** The last four characters. */
  readonly hint: string;
  readonly created_at: string;
  readonly created_by: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
}

/** What is answered once, when it is made. */
export interface MadeToken extends ApiToken {
  readonly token: string;
}
