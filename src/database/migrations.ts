// All migrations. TypeORM runs them in the order of the timestamps in their names.
export * from './migrations/1763650000000-create-posts.js';
export { CreatePostsState1763651000000 } from './migrations/1763651000000-create-posts-state.js';
export * from './migrations/1763652000000-create-posts-search.js';
export * from './migrations/1763660000000-create-idempotency-keys.js';
export * from './migrations/1763670000000-create-accounts.js';
export * from './migrations/1763700000000-create-post-revisions.js';
export * from './migrations/1763710000000-add-api-token-expiry.js';
export * from './migrations/1763720000000-key-posts-state.js';
export * from './migrations/1763730000000-add-roles.js';
export * from './migrations/1763740000000-add-posts-modified.js';
export * from './migrations/1763750000000-widen-change-log.js';
export { CreatePostDeletions1763760000000 } from './migrations/1763760000000-create-post-deletions.js';
export * from './migrations/1763770000000-stage-imports.js';
export * from './migrations/1763780000000-slide-sessions.js';
