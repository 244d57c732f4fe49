/** A token as the service lists it, without the token itself, which the service does not store. */
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

/** The response to its creation; only this one contains the token. */
export interface MadeToken extends ApiToken {
  readonly token: string;
}
