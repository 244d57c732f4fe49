import { Module } from '@nestjs/common';
import { HistoryModule } from '../history/history.module.js';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { PostsModule } from '../posts/posts.module.js';
import { TemporaryFilesModule } from '../temporary-files/temporary-files.module.js';
import { ImportsService } from './imports.service.js';
import { PostImportsController } from './post-imports.controller.js';

@Module({
  imports: [PostsModule, HistoryModule, IdempotencyModule, TemporaryFilesModule],
  controllers: [PostImportsController],
  providers: [ImportsService],
  exports: [ImportsService],
})
export class ImportsModule {}
