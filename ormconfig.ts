import { Account, Secret, Session } from './src/accounts/account.entity.js';
import { ApiToken } from './src/accounts/api-token.entity.js';
import { writerOptions } from './src/database/data-source-options.js';
import { createDataSource } from './src/database/open-database.js';
import { PostRevision } from './src/history/post-revision.entity.js';
import { UsedKey } from './src/idempotency/used-key.entity.js';
import { PostCollection, PostCounter } from './src/posts/post-collection.entity.js';
import { Post } from './src/posts/post.entity.js';
import { loadSettings } from './src/settings/load-settings.js';

/** The data source of TypeORM's CLI: the very options that the service writes with. */
export default createDataSource({
  ...writerOptions(loadSettings().database),
  entities: [Post, PostCollection, PostCounter, PostRevision, UsedKey, Account, Session, ApiToken, Secret],
});
