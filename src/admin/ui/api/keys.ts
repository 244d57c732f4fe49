/**
 * The keys of all queries. A change invalidates the key of what it has changed, and with it every longer key. Keys of
 * lists are followed by what the list is asked for.
 */
export const KEYS = {
  /** The account that is logged in. */
  account: ['account'],
  accounts: ['accounts'],
  tokens: ['tokens'],
  /** The post that is edited. Only a save, or the choice in a conflict, replaces it. */
  post: (id: number) => ['post', id],
  everyPost: ['post'],
  /** The authors of a post's creation and last change: as immutable as the ETag. */
  authorship: (id: number, etag: string) => ['authorship', id, etag],
  postToCopy: (id: number) => ['post to copy', id],
  drafts: (form: string) => ['drafts', form],
  importCheck: (choice: string | undefined) => ['import check', choice],

  /** All that shows posts, their history or their numbers. */
  posts: ['posts'],
  postList: ['posts', 'list'],
  postCount: ['posts', 'count'],
  excerpts: ['posts', 'excerpts'],
  deletedPosts: ['posts', 'deleted'],
  /** Immutable, except for the newest one. */
  revisions: (postId: number) => ['posts', 'revisions', postId],
  newestRevision: (postId: number) => ['posts', 'newest revision', postId],
  changes: ['posts', 'changes'],
  dashboard: ['posts', 'dashboard'],
} as const;

export type QueryKey = readonly unknown[];
