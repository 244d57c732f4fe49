import { Module } from '@nestjs/common';
import { PostChangesModule } from '../posts/writes/post-changes.module.js';
import { StagedIds } from '../posts/writes/staged-ids.js';
import { ImportsRepository } from './imports.repository.js';
import { ImportsService } from './imports.service.js';
import { StagedImportsRepository } from './staged-imports.repository.js';

@Module({
  imports: [PostChangesModule],
  providers: [StagedIds, StagedImportsRepository, ImportsRepository, ImportsService],
  exports: [StagedIds, ImportsService],
})
export class ImportsModule {}
