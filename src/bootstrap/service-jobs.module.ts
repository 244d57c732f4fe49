import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { FirstAccountService } from '../accounts/first-account.service.js';
import { HistoryRetention } from '../history/history-retention.service.js';
import { PostsModule } from '../posts/posts.module.js';
import { SearchModule } from '../search/search.module.js';
import { SearchRebuild } from '../search/search-rebuild.service.js';

/**
 * What a service does by itself, at its start and in the background. A command imports the same modules as the service,
 * but not this one: its settings may differ from those of the service, and it must not remove what the service keeps.
 */
@Module({
  imports: [AccountsModule, PostsModule, SearchModule],
  providers: [FirstAccountService, HistoryRetention, SearchRebuild],
})
export class ServiceJobsModule {}
