import { Module } from '@nestjs/common';
import { MetricsModule } from '../metrics/metrics.module.js';
import { PostsModule } from '../posts/posts.module.js';
import { LatestChangesRepository } from './latest-changes.repository.js';
import { LatestChanges } from './latest-changes.service.js';
import { LiveChangesController } from './live-changes.controller.js';
import { LiveChanges } from './live-changes.service.js';

/** The stream of changes. Posts do not know it: it listens to their changes. */
@Module({
  imports: [PostsModule, MetricsModule],
  controllers: [LiveChangesController],
  providers: [LatestChangesRepository, LatestChanges, LiveChanges],
})
export class LiveChangesModule {}
