import { Module } from '@nestjs/common';
import { HiddenIds } from '../posts/hidden-ids.js';
import { PostChangesModule } from '../posts/post-changes.module.js';
import { HiddenImportsRepository } from './hidden-imports.repository.js';
import { ImportChecksService } from './import-checks.service.js';
import { ImportsRepository } from './imports.repository.js';
import { ImportsService } from './imports.service.js';

/** Imports of any size, all or nothing. */
@Module({
  imports: [PostChangesModule],
  providers: [HiddenIds, HiddenImportsRepository, ImportsRepository, ImportsService, ImportChecksService],
  exports: [HiddenIds, ImportsService, ImportChecksService],
})
export class ImportsModule {}
