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
