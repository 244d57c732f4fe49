/** Who changed a post; a name stands where there is one. */
export interface Author {
  readonly kind: 'api' | 'token' | 'account' | 'command';
  readonly name: string | null;
}

/** `found`: the post was there when its history began. */
export const ACTIONS = ['created', 'changed', 'deleted', 'restored', 'imported', 'found', 'purged'] as const;
export type Action = (typeof ACTIONS)[number];

export const AUTHOR_KINDS = ['account', 'token', 'api', 'command'] as const;

/** An entry of the change log; an import is one, for the posts from `post_id` to `last_post_id`. */
export interface Change {
  readonly id: number;
  readonly post_id: number;
  readonly last_post_id?: number;
  readonly action: Action;
  readonly at: string;
  readonly author: Author;
  readonly title: string | null;
}
