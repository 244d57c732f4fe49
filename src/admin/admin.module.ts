import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { HealthModule } from '../health/health.module.js';
import { HistoryModule } from '../history/history.module.js';
import { ImportsModule } from '../imports/imports.module.js';
import { PostsModule } from '../posts/posts.module.js';
import { AccountsController } from './accounts/accounts.controller.js';
import { ApiTokensController } from './api-tokens.controller.js';
import { BulkDeletionsController } from './bulk-deletions.controller.js';
import { ChangesController } from './history/changes.controller.js';
import { DeletedPostsController } from './history/deleted-posts.controller.js';
import { PostContextController } from './history/post-context.controller.js';
import { PurgesController, RestorationsController } from './history/restorations.controller.js';
import { RevisionsController } from './history/revisions.controller.js';
import { ImportChecksController } from './import-checks.controller.js';
import { DashboardService } from './overview/dashboard.service.js';
import { DatabaseFactsRepository } from './overview/database-facts.repository.js';
import { OverviewController } from './overview/overview.controller.js';
import { SessionsController } from './sessions.controller.js';
import { SettingsChanges } from './settings-changes.service.js';
import { SiteFiles } from './site/site-files.js';
import { SiteController } from './site/site.controller.js';

/** The administration site and its API. */
@Module({
  imports: [AccountsModule, PostsModule, HistoryModule, ImportsModule, HealthModule],
  controllers: [
    SessionsController,
    AccountsController,
    ApiTokensController,
    RevisionsController,
    PostContextController,
    ChangesController,
    DeletedPostsController,
    RestorationsController,
    PurgesController,
    OverviewController,
    BulkDeletionsController,
    ImportChecksController,
    SiteController,
  ],
  providers: [
    DashboardService,
    DatabaseFactsRepository,
    SettingsChanges,
    { provide: SiteFiles, useFactory: () => new SiteFiles() },
  ],
})
export class AdminModule {}
