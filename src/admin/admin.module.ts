import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { BulkChangesModule } from '../bulk-changes/bulk-changes.module.js';
import { HistoryModule } from '../history/history.module.js';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { ImportsModule } from '../imports/imports.module.js';
import { MetricsModule } from '../metrics/metrics.module.js';
import { PostsModule } from '../posts/posts.module.js';
import { AccountsController } from './accounts.controller.js';
import { ApiTokensController } from './api-tokens.controller.js';
import { ChangesController } from './changes.controller.js';
import { DeletedPostsController } from './deleted-posts.controller.js';
import { ImportsController } from './imports.controller.js';
import { OverviewController } from './overview.controller.js';
import { PostSelectionsController } from './post-selections.controller.js';
import { RevisionsController } from './revisions.controller.js';
import { SessionsController } from './sessions.controller.js';
import { SharedValue } from './shared-value.entity.js';
import { SiteController } from './site.controller.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([SharedValue]),
    AccountsModule,
    PostsModule,
    BulkChangesModule,
    HistoryModule,
    ImportsModule,
    IdempotencyModule,
    MetricsModule,
  ],
  controllers: [
    SessionsController,
    AccountsController,
    ApiTokensController,
    RevisionsController,
    ChangesController,
    DeletedPostsController,
    OverviewController,
    PostSelectionsController,
    ImportsController,
    SiteController,
  ],
})
export class AdminModule {}
