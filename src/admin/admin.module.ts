import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { HealthModule } from '../health/health.module.js';
import { HistoryModule } from '../history/history.module.js';
import { ImportsModule } from '../imports/imports.module.js';
import { DocsModule } from '../openapi/docs.module.js';
import { PostsModule } from '../posts/posts.module.js';
import { AccountsController } from './accounts/accounts.controller.js';
import { ApiTokensController } from './api-tokens/api-tokens.controller.js';
import { BulkDeletionsController } from './bulk-deletions/bulk-deletions.controller.js';
import { DashboardController } from './dashboard/dashboard.controller.js';
import { DashboardService } from './dashboard/dashboard.service.js';
import { DatabaseFactsRepository } from './dashboard/database-facts.repository.js';
import { DescriptionController } from './description/description.controller.js';
import { ExcerptsController } from './excerpts/excerpts.controller.js';
import { ChangesController } from './history/changes.controller.js';
import { DeletedPostsController } from './history/deleted-posts.controller.js';
import { PostContextController } from './history/post-context.controller.js';
import { PurgesController, RestorationsController } from './history/restorations.controller.js';
import { RevisionsController } from './history/revisions.controller.js';
import { ImportChecksController } from './import-checks/import-checks.controller.js';
import { MonthsController } from './months/months.controller.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { SettingsChanges } from './settings-changes.service.js';
import { SiteFiles } from './site/site-files.js';
import { SiteController } from './site/site.controller.js';

/** The administration site and its API. */
@Module({
  imports: [AccountsModule, DocsModule, PostsModule, HistoryModule, ImportsModule, HealthModule],
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
    ExcerptsController,
    MonthsController,
    BulkDeletionsController,
    ImportChecksController,
    DashboardController,
    DescriptionController,
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
