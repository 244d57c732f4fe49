import { Module } from '@nestjs/common';
import { HistoryModule } from '../history/history.module.js';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { PostsModule } from '../posts/posts.module.js';
import { ImportsController } from './imports.controller.js';
import { ImportsService } from './imports.service.js';

@Module({
  imports: [PostsModule, HistoryModule, IdempotencyModule],
  controllers: [ImportsController],
  providers: [ImportsService],
  exports: [ImportsService],
})
export class ImportsModule {}
