import 'reflect-metadata';
import { Account, Session } from '../accounts/account.entity.js';
import { AccountsRepository } from '../accounts/accounts.repository.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { ApiToken } from '../accounts/api-token.entity.js';
import { ApiTokensRepository } from '../accounts/api-tokens.repository.js';
import { PasswordHasher } from '../accounts/password-hasher.js';
import { SessionsRepository } from '../accounts/sessions.repository.js';
import { writerOptions } from '../database/data-source-options.js';
import { openDatabase, openDataSourceBesideService } from '../database/open-database.js';
import { AuditService } from '../history/audit.service.js';
import { PostHistoryRepository } from '../history/post-history.repository.js';
import { PostRevision } from '../history/post-revision.entity.js';
import { createLogger } from '../logging/logger.js';
import type { Settings } from '../settings/settings.js';

/** Runs work on the accounts of the database in the settings, whether or not a service is running on it. */
export async function withAccounts(
  settings: Settings,
  work: (accounts: AccountsService) => Promise<void>,
): Promise<void> {
  const dataSource = await openDataSourceBesideService({
    ...writerOptions(settings.database),
    migrationsRun: settings.migratesDatabase,
    entities: [Account, Session, ApiToken, PostRevision],
  });
  try {
    const logger = createLogger({ logLevel: 'silent', logFormat: 'json' });
    const database = await openDatabase(dataSource, settings.database, logger);
    try {
      const repository = new AccountsRepository(database);
      await work(
        new AccountsService(
          repository,
          new SessionsRepository(database),
          new ApiTokensRepository(database),
          new PasswordHasher(settings),
          new AuditService(new PostHistoryRepository(database), logger),
        ),
      );
    } finally {
      await database.close();
    }
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
  }
}
