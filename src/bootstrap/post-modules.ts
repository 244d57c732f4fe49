import { Module, type Type } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { FirstAccountService } from '../accounts/first-account.service.js';
import { HistoryRetention } from '../history/history-retention.service.js';
import { HistoryModule } from '../history/history.module.js';
import { ImportsModule } from '../imports/imports.module.js';
import { MetricsModule } from '../metrics/metrics.module.js';
import { PostsModule } from '../posts/posts.module.js';
import { SearchRebuild } from '../search/search-rebuild.service.js';
import { SearchModule } from '../search/search.module.js';

/**
 * The posts, and the rooms that listen to their changes. A command that changes posts imports all of them: its posts are
 * found by their words, and are in the history.
 */
export const POST_MODULES: readonly Type[] = [PostsModule, SearchModule, HistoryModule, ImportsModule];

/**
 * What a service does by itself, at its start and in the background. A command does not import it: its settings may differ
 * from those of the service, and it must not remove what the service keeps.
 */
@Module({
  imports: [AccountsModule, MetricsModule, ...POST_MODULES],
  providers: [FirstAccountService, HistoryRetention, SearchRebuild],
})
export class ServiceJobsModule {}
